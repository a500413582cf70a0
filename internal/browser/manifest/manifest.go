// Package manifest says which files a page needs to compile, link and run a Go program: the tools
// and, for each package, its export data and its object code. Package toolchain writes a manifest, and
// the kernel in the page reads it.
package manifest

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Name is the name of the file with the manifest, in the format .lzma.
const Name = "go.json.lzma"

// A Manifest is what a page can load.
type Manifest struct {
	Go       string              `json:"go"`                // the version of the tools, go1.26.8
	Language string              `json:"language"`          // of programs, go1.26
	Tools    map[string]File     `json:"tools"`             // compile, link, kernel, and complete, which completes names
	Packages map[string]*Package `json:"packages"`          // by import path
	Others   []string            `json:"others"`            // the other packages of the standard library
	Lacking  map[string]string   `json:"lacking,omitempty"` // why pages can't have a package, in a few words, by import path
	Bundles  []Bundle            `json:"bundles"`
}

// A File is a file beside the manifest, in the format .lzma.
type File struct {
	Name string `json:"name"`
	Size int64  `json:"size"` // in bytes, compressed
}

// A Bundle is a file with the files of packages that are loaded together, one behind the other. Packed
// together they are smaller, and one request brings all.
type Bundle struct {
	File
	Parts []Part `json:"parts"`
}

// A Part is a file in a bundle.
type Part struct {
	Name string `json:"name"`
	Size int64  `json:"size"` // in bytes, not compressed
}

// A Package has two files. Compiling takes the export data of the packages that a program imports
// itself, since export data is complete. Linking takes the object code of all packages in the program.
type Package struct {
	Name     string   `json:"name"`
	Standard bool     `json:"standard,omitempty"` // it is of Go's standard library
	Export   File     `json:"export"`
	Object   File     `json:"object"`
	Imports  []string `json:"imports,omitempty"`
	Exports  []string `json:"exports,omitempty"` // the names that cells can use; nil: cells can't import it
}

// Read decodes a manifest.
func Read(text []byte) (*Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	return &m, nil
}

// PackageName returns the name of the package with an import path, and whether cells can import it.
func (m *Manifest) PackageName(path string) (name string, ok bool) {
	p := m.Packages[path]
	if p == nil || p.Exports == nil {
		return "", false
	}
	return p.Name, true
}

// Closure returns the import paths of packages and of all that they import, sorted. The error names
// the first package that the manifest lacks.
func (m *Manifest) Closure(paths ...string) ([]string, error) {
	seen := map[string]bool{}
	var walk func(path string) error
	walk = func(path string) error {
		if seen[path] || path == "unsafe" {
			return nil
		}
		p := m.Packages[path]
		if p == nil {
			return fmt.Errorf("manifest: there is no package %q", path)
		}
		seen[path] = true
		for _, i := range p.Imports {
			if err := walk(i); err != nil {
				return err
			}
		}
		return nil
	}
	for _, path := range paths {
		if err := walk(path); err != nil {
			return nil, err
		}
	}
	list := make([]string, 0, len(seen))
	for path := range seen {
		list = append(list, path)
	}
	slices.Sort(list)
	return list, nil
}
