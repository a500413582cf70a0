package picture

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"image/png"
	"net/http"
	"os"
	"path/filepath"

	"marginalia/internal/base/atomicfile"
)

// PageName is the name of the page that WritePage writes.
const PageName = "changes.html"

// A Change is a picture that is not as it was.
type Change struct {
	Name string // of the figure, or which output it is
	Cell string // "notebook#cell", or ""
	Why  string // how far the pictures are apart, or what else is wrong

	Want, Got []byte // files of the pictures: PNG, JPEG, GIF or SVG; nil if there is none
}

// Difference returns the file of a picture that shows where the two differ, nil if they do
// not have pixels.
func (c Change) Difference() ([]byte, error) {
	want, err1 := Decode(c.Want)
	got, err2 := Decode(c.Got)
	if err1 != nil || err2 != nil {
		return nil, nil
	}
	var b bytes.Buffer
	err := png.Encode(&b, Map(want, got))
	return b.Bytes(), err
}

//go:embed changes.html
var pageText string

var page = template.Must(template.New(PageName).Funcs(template.FuncMap{"url": dataURL}).Parse(pageText))

// WritePage writes a page into dir, which it makes, and returns the page's path. It shows
// each change with the picture wanted, the one that came, and where they differ. The pictures
// are in the page, which is one file. update is the command that takes the new ones.
func WritePage(dir string, changes []Change, update string) (string, error) {
	file := filepath.Join(dir, PageName)
	var b bytes.Buffer
	if err := page.Execute(&b, map[string]any{"Changes": changes, "Update": update}); err != nil {
		return "", fmt.Errorf("picture: %s: %w", file, err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("picture: %w", err)
	}
	return file, atomicfile.Write(file, b.Bytes())
}

// dataURL returns the address of a picture that is in the page itself. In an <img> scripts of
// an SVG do not run.
func dataURL(file []byte) template.URL {
	kind := http.DetectContentType(file)
	if _, err := Decode(file); err != nil {
		kind = "image/svg+xml"
	}
	return template.URL("data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(file))
}
