// Package page has the scripts that run cells in a page.
//
//	err := page.Write(ctx, dir) // beside what package toolchain writes, or elsewhere
//
// A page calls enliven of cells.js, with cells.css, to have its cells run and edited; or it imports client.js, whose
// class Kernel executes cells, and outputs.js, which shows what comes of them. Beside the scripts stand editor.js of
// package editor, and figure.js of the lab (internal/install/lab), which draws figures; without it they stay still.
// All of it works under a policy that admits scripts, workers and connections of the site alone, and WebAssembly
// ('wasm-unsafe-eval').
package page

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"marginalia/internal/base/atomicfile"
)

//go:embed *.js *.css
var scripts embed.FS

// Offer is the script, no module, by which a page offers to run its cells before it loads anything. It
// looks for an element with the addresses of the folder of Write and of a list of the cells in its attributes
// data-go and data-cells, and for the cells by their ids. It loads the cells' scripts at once if the browser has kept
// edits of the page, or a link carries some. OfferStyle is its style.
//
//go:embed offer/offer.js
var Offer []byte

//go:embed offer/offer.css
var OfferStyle []byte

// Offline is the service worker offline.js, which stands above the folder of Write. It keeps what a reader loads, so
// that the pages open and their cells run without network, and sooner the next time.
//
//go:embed offline/offline.js
var Offline []byte

// A Given is a file of the site for the programs of cells. It is loaded when one opens it.
type Given struct {
	Path   string `json:"path"`             // in the file system of cells
	URL    string `json:"url"`              // seen from the list of such files
	Size   int64  `json:"size"`             // in bytes, not compressed
	Packed bool   `json:"packed,omitempty"` // the site has it compressed by gzip
}

// Write writes the scripts into a folder, with Go's own wasm_exec.js.
func Write(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("page: go env GOROOT: %w", err)
	}
	files := map[string][]byte{}
	if files["wasm_exec.js"], err = os.ReadFile(filepath.Join(string(bytes.TrimSpace(out)), "lib", "wasm", "wasm_exec.js")); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	entries, err := scripts.ReadDir(".")
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	for _, e := range entries {
		if files[e.Name()], err = scripts.ReadFile(e.Name()); err != nil {
			return fmt.Errorf("page: %w", err)
		}
	}
	for name, text := range files {
		if err := atomicfile.Write(filepath.Join(dir, name), text); err != nil {
			return fmt.Errorf("page: %w", err)
		}
	}
	return nil
}
