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

// extension writes the extension into the environment. Browsers cache its files, so their
// addresses contain a checksum.
func (e Environment) extension() error {
	dir := filepath.Join(e.Dir, "share", "jupyter", "labextensions", "marginalia-figures")
	sum := fmt.Sprintf("%.8x", sha256.Sum256([]byte(extensionEntry+figure+colours)))
	return write(map[string]any{
		filepath.Join(dir, "package.json"):             strings.Replace(extensionPackage, "VERSION", sum, 1),
		filepath.Join(dir, "static", "remoteEntry.js"): extensionEntry,
		filepath.Join(dir, "static", "figure.js"):      figure,
		filepath.Join(dir, "static", "ansi.css"):       colours,
	})
}

// FigureScript returns the module that shows figures and moves sliders in pages.
func FigureScript() string { return figure }
