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
	//go:embed copies/package.json
	copiesPackage string // the extension that says where copies of lectures are
	//go:embed copies/remoteEntry.js
	copiesEntry string
	//go:embed template/marginalia/figure.js
	figure string // a module that pages use, too
	//go:embed template/marginalia/ansi.css
	colours string // of output, which pages have, too
)

// extension writes the extensions into the environment.
func (e Environment) extension() error {
	files := map[string]any{}
	for name, extension := range map[string]map[string]string{"marginalia-figures": Extension(), "marginalia-copies": copiesExtension()} {
		for file, text := range extension {
			files[filepath.Join(e.Dir, "share", "jupyter", "labextensions", name, filepath.FromSlash(file))] = text
		}
	}
	return write(files)
}

// copiesExtension is the extension for the lectures, whose files [OwnFolder] has copies of.
func copiesExtension() map[string]string {
	return map[string]string{
		"package.json":          strings.Replace(copiesPackage, "VERSION", fmt.Sprintf("%.8x", sha256.Sum256([]byte(copiesEntry))), 1),
		"static/remoteEntry.js": copiesEntry,
	}
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
