package lab

import (
	"crypto/sha256"
	_ "embed"
	"fmt"
	"path/filepath"
	"strings"
)

// Our extension of JupyterLab shows figures ([marginalia/plotting.Show]) and their sliders
// ([marginalia/plotting.Slide]). It is a prebuilt extension, written by hand: JupyterLab finds
// its folder in the environment and loads the script that package.json names.
var (
	//go:embed labextension/package.json
	extensionPackage string
	//go:embed labextension/remoteEntry.js
	extensionEntry string
	//go:embed template/marginalia/figure.js
	figure string // a module that pages use, too
	//go:embed template/marginalia/ansi.css
	colours string // of output, which pages have, too
)

// extension writes the extension into the environment.
func (e Environment) extension() error {
	files := map[string]any{}
	for name, text := range Extension() {
		files[filepath.Join(e.Dir, "share", "jupyter", "labextensions", "marginalia-figures", filepath.FromSlash(name))] = text
	}
	return write(files)
}

// Extension returns the files of the extension, by their slashed paths. Browsers cache them, so their addresses contain a
// checksum.
func Extension() map[string]string {
	sum := fmt.Sprintf("%.8x", sha256.Sum256([]byte(extensionEntry+figure+colours)))
	return map[string]string{
		"package.json":          strings.Replace(extensionPackage, "VERSION", sum, 1),
		"static/remoteEntry.js": extensionEntry,
		"static/figure.js":      figure,
		"static/ansi.css":       colours,
	}
}

// FigureScript returns the module that shows figures and moves sliders in pages.
func FigureScript() string { return figure }
