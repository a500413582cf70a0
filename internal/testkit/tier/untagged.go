//go:build !browser

package tier

// tagged reports whether the tests that drive Chromium are compiled.
const tagged = false
