//go:build !race

package testkit

// race reports whether this is a build with the race detector.
const race = false
