package live

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"

	"marginalia/internal/beside"
)

// lean returns the flags and the GOWORK of a build that leaves out what no page uses. Without them the
// program of the playgrounds takes 6.3 MB deflated. It writes what they name into tmp.
func lean(ctx context.Context, root, from, tmp string) (flags []string, workspace string, err error) {
	overlay := filepath.Join(tmp, "overlay.json")
	if err := writeOverlay(root, overlay); err != nil {
		return nil, "", err
	}
	// gonum/plot leaves out its formats of files with the tag minimal: a page shows SVG.
	flags = []string{"-tags=minimal", "-overlay=" + overlay}
	copies, err := copyModules(ctx, from, tmp)
	if err != nil {
		return nil, "", err
	}
	if workspace = beside.Workspace(from); workspace != "off" { // where the go command takes no other go.mod
		workspace, err = writeWorkspace(workspace, tmp, copies)
		return flags, workspace, err
	}
	module := filepath.Join(tmp, "go.mod")
	if err := writeModule(ctx, from, module, copies); err != nil {
		return nil, "", err
	}
	return append(flags, "-modfile="+module, "-mod=mod"), workspace, nil
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

// copyModules copies three modules to tmp: gonum/plot without its fonts, DejaVu without its outlines,
// and GoNB with a cache in memory. It returns the folders. An overlay can't replace files of the
// module cache.
func copyModules(ctx context.Context, from, tmp string) (map[string]string, error) {
	copies := map[string]string{}
	for _, m := range []struct {
		path string
		copy func(module, to string) error
	}{{"gonum.org/v1/plot", copyPlot}, {"codeberg.org/go-fonts/dejavu", copyMetrics}, {"github.com/janpfeifer/gonb", copyInterface}} {
		original, err := ask(ctx, from, "list", "-m", "-f", "{{.Dir}}", m.path)
		if err != nil {
			return nil, err
		}
		copies[m.path] = filepath.Join(tmp, filepath.Base(m.path))
		if err := m.copy(original, copies[m.path]); err != nil {
			return nil, err
		}
	}
	return copies, nil
}

// ask returns what the go command prints in a folder.
func ask(ctx context.Context, from string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = from, beside.Environ(from)
	out, err := output(cmd)
	return string(bytes.TrimSpace(out)), err
}

// writeModule writes a go.mod, and a go.sum beside it, that is the one of the folder from with
// modules replaced by their copies.
func writeModule(ctx context.Context, from, module string, copies map[string]string) error {
	old, err := ask(ctx, from, "env", "GOMOD")
	if err != nil {
		return err
	}
	text, err := os.ReadFile(old)
	if err != nil {
		return err
	}
	f, err := modfile.Parse(old, text, nil)
	if err != nil {
		return err
	}
	for path, dir := range copies {
		if err := f.AddReplace(path, "", dir, ""); err != nil {
			return err
		}
	}
	if text, err = f.Format(); err != nil {
		return err
	}
	if err := os.WriteFile(module, text, 0o644); err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(filepath.Dir(old), "go.sum"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(filepath.Dir(module), "go.sum"), sums, 0o644)
}

// writeWorkspace writes a go.work into tmp that is the old one with modules replaced by their copies,
// and returns its path.
func writeWorkspace(old, tmp string, copies map[string]string) (string, error) {
	text, err := os.ReadFile(old)
	if err != nil {
		return "", err
	}
	w, err := modfile.ParseWork(old, text, nil)
	if err != nil {
		return "", err
	}
	for _, u := range slices.Clone(w.Use) {
		if !filepath.IsAbs(u.Path) {
			err = errors.Join(err, w.DropUse(u.Path), w.AddUse(filepath.Join(filepath.Dir(old), u.Path), ""))
		}
	}
	for path, dir := range copies {
		err = errors.Join(err, w.AddReplace(path, "", dir, ""))
	}
	if err != nil {
		return "", err
	}
	w.Cleanup()
	file := filepath.Join(tmp, "go.work")
	if err := os.WriteFile(file, modfile.Format(w.Syntax), 0o644); err != nil {
		return "", err
	}
	sums, err := os.ReadFile(old + ".sum")
	if errors.Is(err, fs.ErrNotExist) {
		return file, nil
	}
	return file, errors.Join(err, os.WriteFile(file+".sum", sums, 0o644))
}

// copyPlot copies gonum/plot without its fonts.
func copyPlot(module, to string) error {
	return errors.Join(os.CopyFS(to, os.DirFS(module)),
		os.WriteFile(filepath.Join(to, "font", "liberation", "liberation.go"), []byte(noFonts), 0o644))
}

//go:embed lean/cache.go.txt
var memoryCache []byte

// copyInterface copies what cells import of GoNB: gonbui with what it imports, and in place of its cache, which asks
// for the folder of files when the program starts, one without files.
func copyInterface(module, to string) error {
	for _, name := range []string{"gonbui", "common"} {
		if err := os.CopyFS(filepath.Join(to, name), os.DirFS(filepath.Join(module, name))); err != nil {
			return err
		}
	}
	mod, err := os.ReadFile(filepath.Join(module, "go.mod"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(to, "cache"), 0o755); err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(to, "go.mod"), mod, 0o644),
		os.WriteFile(filepath.Join(to, "cache", "cache.go"), memoryCache, 0o644))
}

// copyMetrics copies the package of DejaVu Sans, with outlines of zeros, which compress to
// nothing: SVG has text as text, and package plotting asks a font for widths and heights.
func copyMetrics(module, to string) error {
	const font = "dejavusans/DejaVuSans.ttf"
	if err := os.MkdirAll(filepath.Join(to, "dejavusans"), 0o755); err != nil {
		return err
	}
	for _, name := range []string{"go.mod", "dejavusans/data.go", font} {
		data, err := os.ReadFile(filepath.Join(module, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		if name == font {
			glyphs, err := table(data, "glyf")
			if err != nil {
				return err
			}
			clear(glyphs)
		}
		if err := os.WriteFile(filepath.Join(to, filepath.FromSlash(name)), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// table returns the bytes of a table of a TrueType font (OpenType specification, "Organization of
// an OpenType Font": 12 bytes, then for each table its tag, sum, offset and length).
func table(font []byte, tag string) ([]byte, error) {
	for at := 12; at+16 <= len(font); at += 16 {
		if string(font[at:at+4]) != tag {
			continue
		}
		from, size := uint64(binary.BigEndian.Uint32(font[at+8:])), uint64(binary.BigEndian.Uint32(font[at+12:]))
		if from+size > uint64(len(font)) {
			break
		}
		return font[from : from+size], nil
	}
	return nil, errors.New("DejaVuSans.ttf has no whole table " + tag)
}
