//go:build browser

package lab_test

import (
	"testing"

	"marginalia/internal/testkit/tier"
)

// TestLab does in the lab what readers do.
func TestLab(t *testing.T) {
	tier.Browser(t)
	address := serve(t, map[string][]byte{"cells.ipynb": notebook(t, "%%\nfmt.Println(\"hello\")")})
	d := open(t, address, "cells.ipynb")
	d.picture("open")
	count, text := d.says(0)
	t.Log(count, text)
	d.picture("hello")
}
