package live

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"

	"marginalia/internal/beside"
)

// lean returns the flags of a build that leaves out what no page uses. Without them the program
// of the playgrounds takes 6.3 MB deflated. It writes what the flags name into tmp.
func lean(ctx context.Context, root, from, tmp string) (flags []string, err error) {
	overlay := filepath.Join(tmp, "overlay.json")
	if err := writeOverlay(root, overlay); err != nil {
		return nil, err
	}
	// gonum/plot leaves out its formats of files with the tag minimal: a page shows SVG.
	flags = []string{"-tags=minimal", "-overlay=" + overlay}
	if beside.Workspace(from) != "off" {
		return flags, nil // the go command takes no other go.mod in a workspace
	}
	module := filepath.Join(tmp, "go.mod")
	if err := writeModule(ctx, from, filepath.Join(tmp, "plot"), module); err != nil {
		return nil, err
	}
	return append(flags, "-modfile="+module, "-mod=mod"), nil
}

// writeOverlay writes the file with which the go command leaves out GoNB's pipes, with
// encoding/gob, and PDF, as it does for a grader's guest: the files of GOOS=wasip1 take the
// places of the others.
func writeOverlay(root, file string) error {
	replace := map[string]string{}
	for _, f := range []struct{ folder, stub, left string }{
		{"internal/display", "pipe", "register"}, {"plotting", "pdf", "pdf_canvas"},
	} {
		at := func(name string) string { return filepath.Join(root, filepath.FromSlash(f.folder), name+".go") }
		for _, name := range []string{f.stub, f.left, f.stub + "_wasip1"} {
			if _, err := os.Stat(at(name)); err != nil {
				return err
			}
		}
		replace[at(f.left)] = ""
		replace[at(f.stub)] = at(f.stub + "_wasip1") // whose constraint is its name
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// noFonts replaces gonum/plot's file of its own fonts, Liberation. All text of package plotting
// is in DejaVu Sans.
const noFonts = `package liberation

import "gonum.org/v1/plot/font"

func Collection() font.Collection { return nil }
`

// writeModule writes a go.mod, and a go.sum beside it, that is the one of the folder from with
// another gonum/plot: a copy in the folder plot without fonts. An overlay can't replace files of
// the module cache.
func writeModule(ctx context.Context, from, plot, module string) error {
	ask := func(args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir, cmd.Env = from, beside.Environ(from)
		out, err := output(cmd)
		return string(bytes.TrimSpace(out)), err
	}
	original, err := ask("list", "-m", "-f", "{{.Dir}}", "gonum.org/v1/plot")
	if err != nil {
		return err
	}
	if err := os.CopyFS(plot, os.DirFS(original)); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(plot, "font", "liberation", "liberation.go"), []byte(noFonts), 0o644); err != nil {
		return err
	}
	old, err := ask("env", "GOMOD")
	if err != nil {
		return err
	}
	text, err := os.ReadFile(old)
	if err != nil {
		return err
	}
	text = append(text, "\nreplace gonum.org/v1/plot => "+plot+"\n"...)
	if err := os.WriteFile(module, text, 0o644); err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(filepath.Dir(old), "go.sum"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(filepath.Dir(module), "go.sum"), sums, 0o644)
}
