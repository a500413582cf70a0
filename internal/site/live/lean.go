package live

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"marginalia/internal/notebook/workspace"
)

// lean returns the flags and the GOWORK of a build that leaves out what no page uses, and writes what
// they name into tmp. The program of the playgrounds, deflated, takes 6.5 MB without them, 6.0 MB with
// the tag and the overlay, and 2.8 MB with the modules of leaner too.
func lean(ctx context.Context, root, from, tmp string) (flags []string, gowork string, err error) {
	overlay := filepath.Join(tmp, "overlay.json")
	if err := writeOverlay(root, tmp, overlay); err != nil {
		return nil, "", err
	}
	// gonum/plot and plotting leave out their formats of files with the tag minimal: a page shows SVG.
	flags = []string{"-tags=minimal", "-overlay=" + overlay}
	copies, err := copyModules(ctx, from, tmp)
	if err != nil {
		return nil, "", err
	}
	if gowork = workspace.Of(from); gowork != "off" { // where the go command takes no other go.mod
		gowork, err = writeWorkspace(gowork, tmp, copies)
		return flags, gowork, err
	}
	module := filepath.Join(tmp, "go.mod")
	if err := writeModule(ctx, from, module, copies); err != nil {
		return nil, "", err
	}
	return append(flags, "-modfile="+module, "-mod=mod"), gowork, nil
}

// writeOverlay writes the file with which the go command leaves out GoNB's pipes, with
// encoding/gob, as it does for a grader's guest: the file of GOOS=wasip1 takes the place of
// the others. MNIST's sums are of another kind, since SHA-256 comes with much of crypto, and
// a page has no files to sum.
func writeOverlay(root, tmp, file string) error {
	at := func(name string) string { return filepath.Join(root, "internal", "cell", "display", name) }
	const stub = "pipe_wasip1.go" // whose constraint is its name
	for _, name := range []string{"pipe.go", "register.go", stub} {
		if _, err := os.Stat(at(name)); err != nil {
			return err
		}
	}
	replace := map[string]string{at("register.go"): "", at("pipe.go"): at(stub)}
	mnist, other := filepath.Join(root, "internal", "base", "mnistfiles", "mnistfiles.go"), filepath.Join(tmp, "mnistfiles.go")
	if err := reimport(mnist, other, "crypto/sha256", `sha256 "hash/adler32"`); err != nil {
		return err
	}
	replace[mnist] = other
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// reimport copies a Go file with another import spec in the place of a package.
func reimport(file, to, old, spec string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	line := []byte("\t" + strconv.Quote(old) + "\n")
	if !bytes.Contains(text, line) {
		return fmt.Errorf("%s does not import %s", file, old)
	}
	return os.WriteFile(to, bytes.Replace(text, line, []byte("\t"+spec+"\n"), 1), 0o644)
}
