//go:build !race

package tier

// Race reports whether this is a build with the race detector.
const Race = false
