package guest

import "strings"

// lastWords returns what Go's runtime has printed of a crash, from the first line that begins as such words do, and "" if there
// is none. Words within a line are the student's.
func lastWords(printed string) string {
	for _, word := range []string{"fatal error: ", "panic: "} {
		if strings.HasPrefix(printed, word) {
			return printed
		}
		if _, text, ok := strings.Cut(printed, "\n"+word); ok {
			return word + text
		}
	}
	return ""
}
