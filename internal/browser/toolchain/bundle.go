package toolchain

import (
	"slices"

	"marginalia/internal/browser/manifest"
)

// together are imports whose object code is loaded in bundles: what every cell needs, and what most
// cells of lectures need besides. A bundle has no package of those before it.
var together = [][]string{
	{"flag", "fmt", "runtime"},
	{"gonum.org/v1/gonum/mat", "log", "marginalia/plotting"},
}

// A bundle is one that is being made.
type bundle struct {
	content []byte
	parts   []manifest.Part
}

// bundles returns the bundles in their order, and for each package that of its object code. What a
// manifest lacks is in none.
func bundles(m *manifest.Manifest) (all []*bundle, of map[string]*bundle, err error) {
	of = map[string]*bundle{}
	for _, imports := range together {
		if slices.ContainsFunc(imports, func(path string) bool { return m.Packages[path] == nil }) {
			continue
		}
		paths, err := m.Closure(imports...)
		if err != nil {
			return nil, nil, err
		}
		b := &bundle{}
		all = append(all, b)
		for _, path := range paths {
			if of[path] == nil {
				of[path] = b
			}
		}
	}
	return all, of, nil
}

// add adds a file.
func (b *bundle) add(content []byte) manifest.File {
	f := manifest.File{Name: nameOfContent(content)}
	b.content = append(b.content, content...)
	b.parts = append(b.parts, manifest.Part{Name: f.Name, Size: int64(len(content))})
	return f
}
