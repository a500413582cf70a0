package mistake

import (
	"fmt"
	"regexp"
	"strings"
)

// Slip is what the kernel writes to the stderr of a cell that has run and in which package vet, or gonb, has found a slip.
func Slip(line int, words string) string {
	return fmt.Sprintf("→ line %d: %s\n", line, words)
}

var slip = regexp.MustCompile(`(?m)^→ line \d+: .*(?: \(go vet\)|: fmt\.Println prints| is its text|\bGoNB\b.*)\n?`)

// WithoutSlips returns text without what Slip and Unknown have added, and without the end of its last line, which
// the kernel adds before a slip.
func WithoutSlips(text string) string {
	return strings.TrimSuffix(hinted.ReplaceAllString(slip.ReplaceAllString(text, ""), "$1"), "\n")
}
