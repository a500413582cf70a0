package lab

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

//go:embed goshim.sh
var goShim string

//go:embed goplsstub.sh
var goplsStub string

// A Spec says how to start a kernel: its argument list, in which
// "{connection_file}" stands for the path of the Jupyter connection file, and
// the environment variables, as KEY=VALUE, to add to those of the caller.
type Spec struct {
	Argv []string
	Env  []string
}

// Kernel returns how to start the pinned GoNB kernel for the repository at
// root (see [repo.Root]), and builds it first if this version has not been built
// on this computer: some twenty seconds, announced to p; the module proxy is
// needed if the sources are not in the module cache. Otherwise it takes about
// 20 ms.
//
// The kernel it describes is one for programs: errors are plain text, gopls is
// not started. Cells import the packages of the repository and of its go.mod
// with no set-up cell and no use of the network, wherever the notebook is.
func Kernel(ctx context.Context, root string, p Progress) (Spec, error) {
	g, err := readGoEnv(ctx, root)
	if err != nil {
		return Spec{}, err
	}
	tools, err := buildTools(ctx, root, g, p)
	if err != nil {
		return Spec{}, err
	}
	path := prependPath(os.Getenv("PATH"), filepath.Join(tools, "bin"), filepath.Join(tools, "nogopls"))
	// Nobody is there to move a slider; see plotting.StillEnv.
	return Spec{Argv: kernelArgv(tools, root), Env: append(kernelEnv(g, root, path), "MARGINALIA_STILL=1")}, nil
}

// kernelArgv: -raw_error makes errors plain text. GoNB logs every failed cell
// and much else; only its last words, when it must end, go to stderr.
func kernelArgv(tools, root string) []string {
	return []string{
		filepath.Join(tools, "gonb"),
		"-kernel", "{connection_file}",
		"-raw_error",
		"-go_work=" + root,
		"-logtostderr=false", "-log_file=" + os.DevNull, "-stderrthreshold=FATAL",
	}
}

func kernelEnv(g goEnv, root, path string) []string {
	return []string{
		"PATH=" + path,
		"MARGINALIA_GO=" + g.binary(),
		"GOFLAGS=" + g.cellFlags(),
		"GOWORK=", // the one of the kernel's own folder, whatever the user has set
	}
}

func prependPath(path string, dirs ...string) string {
	if path != "" {
		dirs = append(dirs, path)
	}
	return strings.Join(dirs, string(os.PathListSeparator))
}

// buildTools returns the folder with the kernel (gonb), goimports and the go
// shim, built from the versions in the repository's go.mod, the kernel mended:
//
//	gonb          the kernel
//	bin/          go (the shim) and goimports, first in the PATH of kernels
//	nogopls/      a gopls that does nothing, for kernels that nobody types into
func buildTools(ctx context.Context, root string, g goEnv, p Progress) (string, error) {
	name, err := toolsName(root, g)
	if err != nil {
		return "", err
	}
	return install(ctx, name, p, func(tmp string, held *os.File) error {
		if err := checkSpaces(g.spaceToBuild(tmp)); err != nil {
			return err
		}
		end := p.begin("building the Go kernel (GoNB) and goimports")
		source := filepath.Join(tmp, "source")
		mod, err := mended(ctx, root, source, g)
		if err == nil {
			err = g.build(ctx, held, root, filepath.Join(tmp, "bin")+string(filepath.Separator),
				"-modfile="+mod, gonbModule, "golang.org/x/tools/cmd/goimports")
		}
		end(err)
		if err != nil {
			return fmt.Errorf("lab: building the kernel: %w", err)
		}
		if err := os.RemoveAll(source); err != nil {
			return err
		}
		if err := os.Rename(filepath.Join(tmp, "bin", "gonb"), filepath.Join(tmp, "gonb")); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(tmp, "bin", "go"), []byte(goShim), 0o755); err != nil {
			return err
		}
		if err := os.Mkdir(filepath.Join(tmp, "nogopls"), 0o755); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(tmp, "nogopls", "gopls"), []byte(goplsStub), 0o755)
	})
}

// toolsName is the folder in the cache that has, or is to have, the kernel.
func toolsName(root string, g goEnv) (string, error) {
	key, err := keyOf(g, root, goShim, goplsStub, drain, fmt.Sprint(mends))
	return "tools-" + key, err
}

// goplsModule is the module that pins gopls, apart from go.mod because its
// requirements are its own.
func goplsModule(root string) string { return filepath.Join(root, "internal", "lab", "gopls") }

// goplsName is the folder in the cache that has, or is to have, gopls.
func goplsName(root string, g goEnv) (string, error) {
	key, err := keyOf(g, goplsModule(root))
	return "gopls-" + key, err
}

// buildGopls builds gopls, which completes and explains code in JupyterLab.
// It is as much work as all the rest together, so it is done beside a running
// JupyterLab, with what the processors have left.
func buildGopls(ctx context.Context, root string, g goEnv, p Progress) error {
	name, err := goplsName(root, g)
	if err != nil {
		return err
	}
	_, err = install(ctx, name, p, func(tmp string, held *os.File) error {
		if err := checkSpaces(g.spaceToBuild(tmp)); err != nil {
			return err
		}
		end := p.begin("building gopls in the background: notebooks opened after that complete code")
		err := g.inBackground().build(ctx, held, goplsModule(root), filepath.Join(tmp, "gopls"), "golang.org/x/tools/gopls")
		end(err)
		if err != nil {
			return fmt.Errorf("lab: building gopls: %w", err)
		}
		return nil
	})
	return err
}

// keyOf hashes what determines the programs built from the module at dir.
func keyOf(g goEnv, dir string, more ...string) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s/%s %s\n", g.GOVERSION, runtime.GOOS, runtime.GOARCH, g.cellFlags())
	for _, name := range []string{"go.mod", "go.sum"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return "", faultf("%w: the repository is not complete, get it again with git", err)
		}
		fmt.Fprintf(h, "%d\n%s", len(b), b)
	}
	for _, s := range more {
		fmt.Fprintf(h, "%d\n%s", len(s), s)
	}
	return hex.EncodeToString(h.Sum(nil))[:12], nil
}

// cacheDir is where the tools are kept, for all clones of the repository.
func cacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", faultf("no folder for caches (%w): set HOME or XDG_CACHE_HOME", err)
	}
	return filepath.Join(dir, "marginalia"), nil
}

// install returns the folder name in the cache. If it is not there, build
// fills a temporary one, which is then renamed: it is there whole or not at
// all, whatever is killed when, and two processes do not meet.
func install(ctx context.Context, name string, p Progress, build func(tmp string, held *os.File) error) (string, error) {
	cache, err := cacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, name)
	if used(dir) {
		return dir, nil
	}
	kind, _, _ := strings.Cut(name, "-")
	held, err := lock(ctx, filepath.Join(cache, kind+".lock"), p)
	if err != nil {
		return "", faultf("%s: %w", cache, err)
	}
	defer held.Close()
	if used(dir) {
		return dir, nil
	}
	clean(cache, kind)
	tmp, err := os.MkdirTemp(cache, ".building-"+kind+"-")
	if err != nil {
		return "", faultf("%w", fileCause(err))
	}
	defer os.RemoveAll(tmp)
	if err := os.Chmod(tmp, 0o755); err != nil {
		return "", err
	}
	if err := build(tmp, held); err != nil {
		return "", fileCause(err)
	}
	if err := os.Rename(tmp, dir); err != nil {
		return "", fileCause(err)
	}
	return dir, nil
}

// used reports whether dir is there, and marks it as in use today.
func used(dir string) bool {
	info, err := os.Stat(dir)
	if err != nil {
		return false
	}
	if time.Since(info.ModTime()) > 24*time.Hour {
		now := time.Now()
		_ = os.Chtimes(dir, now, now) // a cache that cannot be written to still serves
	}
	return true
}

// clean removes what killed processes have left of this kind (the caller has
// its lock, so no one builds it now) and what nobody has used for a month.
func clean(cache, kind string) {
	entries, err := os.ReadDir(cache)
	if err != nil {
		return
	}
	for _, e := range entries {
		left := strings.HasPrefix(e.Name(), ".building-"+kind+"-")
		if strings.HasPrefix(e.Name(), kind+"-") {
			info, err := e.Info()
			left = err == nil && time.Since(info.ModTime()) > 30*24*time.Hour
		}
		if left && e.IsDir() {
			_ = os.RemoveAll(filepath.Join(cache, e.Name()))
		}
	}
}
