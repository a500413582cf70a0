package kernel

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"

	"marginalia/internal/base/setup"
	"marginalia/internal/cell/display"
	"marginalia/internal/kernel/jupyter"
)

// Spec returns how to start the pinned GoNB kernel for the repository at root,
// and builds it first if this version has not been built on this computer: some
// twenty seconds, announced to p; the module proxy is needed if the sources are
// not in the module cache. Otherwise it takes about 20 ms.
//
// The kernel it describes is one for programs: errors are plain text, all that cells print
// comes, code is not completed, and no program stays for its sliders. Cells import the packages of the repository and of its go.mod
// with no set-up cell and no use of the network, wherever the notebook is.
func Spec(ctx context.Context, root string, p setup.Progress) (jupyter.Spec, error) {
	t, err := New(ctx, root)
	if err != nil {
		return jupyter.Spec{}, err
	}
	if err := t.Build(ctx, p); err != nil {
		return jupyter.Spec{}, err
	}
	spec := t.spec(string(os.PathListSeparator) + os.Getenv("PATH"))
	spec.Env = append(spec.Env, display.SlidersEnv+"=0", "MARGINALIA_ERRORS=raw", "MARGINALIA_OUTPUT=whole")
	return spec, nil
}

// Interactive describes the kernel for people, which completes code. JupyterLab's PATH
// follows the PATH in it.
func (t *Toolchain) Interactive() jupyter.Spec {
	spec := t.spec("")
	spec.Env = append(spec.Env, "MARGINALIA_GOPLS="+filepath.Join(t.Gopls, "gopls"))
	return spec
}

// spec: -raw_error makes errors plain text. GoNB logs every failed cell and much
// else; only its last words, when it must end, go to stderr.
func (t *Toolchain) spec(path string) jupyter.Spec {
	return jupyter.Spec{
		Argv: []string{
			filepath.Join(t.Front, "marginalia-kernel"), "{connection_file}",
			filepath.Join(t.Tools, "gonb"),
			"-raw_error",
			"-go_work=" + t.Root,
			"-logtostderr=false", "-log_file=" + os.DevNull, "-stderrthreshold=FATAL",
		},
		Env: []string{
			"PATH=" + filepath.Join(t.Front, "bin") + path,
			"MARGINALIA_GO=" + t.Go(),
			"MARGINALIA_GOIMPORTS=" + filepath.Join(t.Tools, "goimports"),
			"GOFLAGS=" + t.cellFlags(),
			"GOWORK=", // the one of the kernel's own folder, whatever the user has set
		},
	}
}

// Build fills the folder Tools with the versions in the repository's go.mod, unless it is there:
// GoNB, patched, and goimports. Then it builds what is ours: the front, and in bin, first in the
// PATH of kernels, go and goimports as GoNB sees them.
func (t *Toolchain) Build(ctx context.Context, p setup.Progress) error {
	if err := t.buildTools(ctx, p); err != nil {
		return err
	}
	return t.install(ctx, p, "building the kernel's front", t.Front, func(tmp string, held *os.File) error {
		bin := filepath.Join(tmp, "bin")
		if err := run(t.command(ctx, t.Root, "build", "-o", bin+string(filepath.Separator), "./internal/kernel/front", "./internal/kernel/gocommand"), held); err != nil {
			return err
		}
		return errors.Join(
			os.Rename(filepath.Join(bin, "front"), filepath.Join(tmp, "marginalia-kernel")),
			os.Rename(filepath.Join(bin, "gocommand"), filepath.Join(bin, "go")),
			os.Symlink("go", filepath.Join(bin, "goimports")))
	})
}

func (t *Toolchain) buildTools(ctx context.Context, p setup.Progress) error {
	return t.install(ctx, p, "building the Go kernel (GoNB) and goimports", t.Tools, func(tmp string, held *os.File) error {
		source := filepath.Join(tmp, "source")
		mod, err := t.patched(ctx, source)
		if err != nil {
			return err
		}
		if err := run(t.command(ctx, t.Root, "build", "-o", tmp+string(filepath.Separator), "-modfile="+mod,
			gonbModule, "golang.org/x/tools/cmd/goimports"), held); err != nil {
			return err
		}
		return os.RemoveAll(source)
	})
}

// BuildGopls builds gopls, which completes and explains code in JupyterLab. It is as
// much work as all the rest together.
func (t *Toolchain) BuildGopls(ctx context.Context, p setup.Progress) error {
	return t.buildGopls(ctx, p, "building gopls, which completes code")
}

// BuildGoplsAside builds gopls beside a running JupyterLab, with what the processors
// have left.
func (t *Toolchain) BuildGoplsAside(ctx context.Context, p setup.Progress) error {
	const step = "building gopls in the background, which completes code"
	if nice, err := exec.LookPath("nice"); err == nil {
		return t.buildGopls(ctx, p, step, nice, "-n", "19")
	}
	return t.buildGopls(ctx, p, step)
}

func (t *Toolchain) buildGopls(ctx context.Context, p setup.Progress, step string, before ...string) error {
	return t.install(ctx, p, step, t.Gopls, func(tmp string, held *os.File) error {
		cmd := t.command(ctx, t.goplsModule(), "build", "-o", filepath.Join(tmp, "gopls"), "golang.org/x/tools/gopls")
		cmd.Args = append(before, cmd.Args...)
		cmd.Path = cmd.Args[0]
		return run(cmd, held)
	})
}

// run runs a go command that builds, which gets the lock along.
func run(cmd *exec.Cmd, held *os.File) error {
	cmd.ExtraFiles = []*os.File{held}
	if out, err := cmd.CombinedOutput(); err != nil {
		return errors.New(cause(string(out), err))
	}
	return nil
}

// Free bytes asked for before a step begins: what the step was measured to
// take, and half as much again.
const (
	spacePrograms = 80 << 20  // the programs that are built
	spaceModules  = 700 << 20 // their sources, in the module cache
	spaceBuild    = 350 << 20 // what they are linked from, in the build cache
	SpaceWarm     = 150 << 20 // what cells link, in the build cache
)

// Space is what [Toolchain.Build] will need, by folder.
func (t *Toolchain) Space() map[string]uint64 {
	if _, err := os.Stat(t.Tools); err == nil {
		return map[string]uint64{}
	}
	return t.spaceToBuild()
}

func (t *Toolchain) spaceToBuild() map[string]uint64 {
	return map[string]uint64{t.Tools: spacePrograms, t.GOCACHE: spaceBuild, t.GOMODCACHE: spaceModules}
}
