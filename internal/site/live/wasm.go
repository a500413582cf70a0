package live

import (
	"bytes"
	"compress/flate"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/notebook/workspace"
)

// buildWASM compiles a package, seen from the folder from, with the repository at root into a
// WebAssembly program, deflated (RFC 1951): web servers compress what they send in different ways
// or not at all, and every browser inflates.
func buildWASM(ctx context.Context, root, from, pkg, file string) error {
	tmp, err := os.MkdirTemp("", "marginalia-wasm-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	leaner, gowork, err := lean(ctx, root, from, tmp)
	if err != nil {
		return fmt.Errorf("site: what pages leave out: %w", err)
	}
	raw := filepath.Join(tmp, "program.wasm")
	// The list of modules names folders of this computer, and with it the build ID differs from build to build.
	args := append([]string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid= -X=runtime.modinfo=", "-o", raw}, leaner...)
	cmd := exec.CommandContext(ctx, "go", append(args, pkg)...)
	cmd.Dir = from
	cmd.Env = append(workspace.Environ(from), "GOWORK="+gowork, "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if _, err := output(cmd); err != nil {
		return fmt.Errorf("site: building %s for pages: %w", pkg, err)
	}
	program, err := os.ReadFile(raw)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return err
	}
	w.Write(program) // to memory, which never fails
	w.Close()
	return atomicfile.Write(file, b.Bytes())
}
