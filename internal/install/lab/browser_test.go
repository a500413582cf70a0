//go:build browser

package lab

import (
	"testing"

	"marginalia/internal/base/setup"
)

// needBrowser returns Chromium.
func needBrowser(t *testing.T) string {
	t.Helper()
	chromium, ok := setup.Chromium()
	if !ok {
		t.Fatal("there is no Chromium in PATH")
	}
	return chromium
}
