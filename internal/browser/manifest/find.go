package manifest

import (
	"cmp"
	"slices"
)

// random are the packages called rand in the order in which goimports tries them for a program of
// Go 1.22 or later.
var random = []string{"crypto/rand", "math/rand/v2", "math/rand"}

// Find returns the package that goimports would import for a name, if a program uses some members
// of it: the package has all of them. The standard library comes first, then the shortest path.
func (m *Manifest) Find(name string, members []string) (path string, ok bool) {
	var found []string
	for path, p := range m.Packages {
		if p.Name == name && name != "main" && p.Exports != nil && p.has(members) {
			found = append(found, path)
		}
	}
	if len(found) == 0 {
		return "", false
	}
	rank := func(path string) int {
		switch i := slices.Index(random, path); {
		case i >= 0:
			return i - len(random)
		case m.Packages[path].Standard:
			return 0
		}
		return 1
	}
	return slices.MinFunc(found, func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	}), true
}

// has reports whether a package exports all names.
func (p *Package) has(names []string) bool {
	for _, name := range names {
		if _, ok := slices.BinarySearch(p.Exports, name); !ok {
			return false
		}
	}
	return true
}
