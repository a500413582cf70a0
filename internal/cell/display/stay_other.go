//go:build !unix && !js

package display

// offer does nothing: our kernel runs on Unix alone, and a grader's guest has no page.
func offer(string, Drawer) {}
