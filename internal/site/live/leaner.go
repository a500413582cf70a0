package live

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
)

// leaner are modules with much that no page uses, and how each is copied without it.
var leaner = []struct {
	module string
	copy   func(module, to string) error
}{
	{"gonum.org/v1/plot", copyPlot}, {"git.sr.ht/~sbinet/gg", copyPixels},
	{"codeberg.org/go-fonts/dejavu", copyMetrics}, {"github.com/janpfeifer/gonb", copyInterface},
}

// noFonts replaces gonum/plot's file of its own fonts, Liberation. All text of package plotting
// is in DejaVu Sans.
const noFonts = `package liberation

import "gonum.org/v1/plot/font"

func Collection() font.Collection { return nil }
`

// copyPlot copies gonum/plot without its fonts, its LaTeX, and the formats of files that
// package plotting does not write.
func copyPlot(module, to string) error {
	if err := os.CopyFS(to, os.DirFS(module)); err != nil {
		return err
	}
	return errors.Join(
		os.Remove(filepath.Join(to, "text", "latex.go")),
		os.WriteFile(filepath.Join(to, "font", "liberation", "liberation.go"), []byte(noFonts), 0o644),
		dropFormat("gonum.org/v1/plot", to, "vg/vgimg/vgimg.go", "image/jpeg", "jpeg"),
		dropFormat("gonum.org/v1/plot", to, "vg/vgimg/vgimg.go", "golang.org/x/image/tiff", "tiff"))
}

// copyPixels copies gg, with which gonum/plot draws pixels, without JPEG.
func copyPixels(module, to string) error {
	if err := os.CopyFS(to, os.DirFS(module)); err != nil {
		return err
	}
	return errors.Join(
		dropFormat("git.sr.ht/~sbinet/gg", to, "context.go", "image/jpeg", "jpeg"),
		dropFormat("git.sr.ht/~sbinet/gg", to, "util.go", "image/jpeg", "jpeg"))
}

// none is a package of a format of pictures.
const none = `package none

import (
	"errors"
	"image"
	"io"
)

type Options struct{ Quality int }

func Encode(io.Writer, image.Image, *Options) error { return errors.ErrUnsupported }

func Decode(io.Reader) (image.Image, error) { return nil, errors.ErrUnsupported }
`

// dropFormat has a file of a copied module import package none for that of a format.
func dropFormat(module, dir, file, format, name string) error {
	if err := os.MkdirAll(filepath.Join(dir, "none"), 0o755); err != nil {
		return err
	}
	file = filepath.Join(dir, filepath.FromSlash(file))
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "none", "none.go"), []byte(none), 0o644),
		reimport(file, file, format, name+` "`+module+`/none"`))
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

// copyMetrics copies the package of DejaVu Sans, with outlines, their places and the names of
// glyphs as zeros, which compress to nothing: SVG has text as text, and package plotting asks a
// font for widths and heights.
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
			for tag, header := range map[string]int{"glyf": 0, "loca": 0, "post": 34} {
				t, err := table(data, tag)
				if err != nil {
					return err
				}
				clear(t[min(header, len(t)):])
			}
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
