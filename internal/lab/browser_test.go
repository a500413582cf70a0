package lab

import "testing"

// needBrowser returns Chromium.
func needBrowser(t *testing.T) string {
	t.Helper()
	chromium, ok := Chromium()
	if !ok {
		t.Fatal("there is no Chromium in PATH")
	}
	return chromium
}
