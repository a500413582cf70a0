// Package shell quotes the words of commands that messages advise: "go -C 'my course' test ./...".
package shell

import (
	"regexp"
	"strings"
)

var plain = regexp.MustCompile(`^[\pL\pN_@%+=:,./-]+$`)

// Quote returns a word in quotes, if a shell would take it for something else.
func Quote(word string) string {
	if plain.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Join returns the words of a command, each quoted if it has to be.
func Join(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Quote(w)
	}
	return strings.Join(quoted, " ")
}
