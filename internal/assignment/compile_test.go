package assignment

import (
	"os"
	"path/filepath"
	"testing"
)

// A build starts the compiler once and the linker once, without the go command if the packages are known, and the
// linker without garbage collection.
func TestToolchain(t *testing.T) {
	tools, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	for _, name := range []string{"compile", "link", "go"} {
		if err := os.WriteFile(filepath.Join(tools, name), []byte("#!/bin/sh\necho \"${0##*/} $GOOS GOGC=$GOGC\" >>"+log), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", tools)
	t.Setenv("GOGC", "100")
	tc := toolchain{tools: tools, language: "go1.26", packages: map[string]string{"unsafe": "", "fmt": "fmt.a"}}
	dir := t.TempDir()
	if err := tc.build(t.Context(), dir, dir, map[string][]byte{"main.go": []byte("package main\n\nimport \"fmt\"\n")}, "guest.wasm"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(log)
	if want := "compile wasip1 GOGC=100\nlink wasip1 GOGC=off\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}
