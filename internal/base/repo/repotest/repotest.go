// Package repotest tells tests where the repository is.
package repotest

import (
	"testing"

	"marginalia/internal/base/repo"
)

// Root returns the folder of the repository.
func Root(t testing.TB) string {
	t.Helper()
	root, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	return root
}
