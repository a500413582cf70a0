package manifest_test

import (
	"slices"
	"testing"

	"marginalia/internal/browser/manifest"
)

// four are packages that differ in what decides between them.
var four = &manifest.Manifest{Packages: map[string]*manifest.Package{
	"math/rand":         {Name: "rand", Standard: true, Exports: []string{"Intn", "New", "NewSource"}},
	"math/rand/v2":      {Name: "rand", Standard: true, Exports: []string{"IntN", "N", "New", "NewPCG"}, Imports: []string{"internal/rand"}},
	"crypto/rand":       {Name: "rand", Standard: true, Exports: []string{"Int", "Read"}},
	"internal/rand":     {Name: "rand", Standard: true},
	"a.example/mat":     {Name: "mat", Exports: []string{"Dense"}},
	"a.example/far/mat": {Name: "mat", Exports: []string{"Dense", "Sparse"}, Imports: []string{"a.example/mat", "math/rand/v2"}},
}}

// Find takes the package that goimports takes. Its rules for rand are those of imports.addStdlibCandidates in
// golang.org/x/tools.
func TestFind(t *testing.T) {
	for _, tt := range []struct {
		name    string
		members []string
		want    string
	}{
		{"rand", []string{"New"}, "math/rand/v2"}, {"rand", []string{"Intn", "New"}, "math/rand"}, {"rand", []string{"Int"}, "crypto/rand"},
		{"rand", []string{"Perm"}, ""}, {"mat", []string{"Dense"}, "a.example/mat"}, {"mat", []string{"Dense", "Sparse"}, "a.example/far/mat"},
		{"main", nil, ""}, {"fmt", nil, ""},
	} {
		if got, ok := four.Find(tt.name, tt.members); got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s with %q is %q, want %q", tt.name, tt.members, got, tt.want)
		}
	}
}

// A program is linked with all that its imports import.
func TestClosure(t *testing.T) {
	got, err := four.Closure("a.example/far/mat", "unsafe")
	if want := []string{"a.example/far/mat", "a.example/mat", "internal/rand", "math/rand/v2"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if got, err := four.Closure("nowhere"); err == nil {
		t.Errorf("of a package that is not there it is %q", got)
	}
}
