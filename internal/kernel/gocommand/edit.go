//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"

	"marginalia/internal/kernel/buildserver"
)

// edit edits the files of a folder for a go command that builds, as the server says, and returns what
// writes them back: GoNB then looks up in them the lines that the compiler names. (With the flag -overlay the
// compiler would name other files.) If that fails, the compiler says of a last expression that it is not used.
func edit(dir string, args []string, a buildserver.Answer) (back func()) {
	edited := a.Edited
	if a.Unsure && args[0] == "build" {
		edited, _ = buildserver.Edited(context.Background(), dir)
	}
	before := map[string][]byte{}
	for name, text := range edited {
		file := filepath.Join(dir, name)
		if old, err := os.ReadFile(file); err == nil && os.WriteFile(file, text, 0o600) == nil {
			before[file] = old
		}
	}
	return func() {
		for file, text := range before {
			_ = os.WriteFile(file, text, 0o600)
		}
	}
}
