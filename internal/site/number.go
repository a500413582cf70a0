package site

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// number is what the texts call a lecture or its exercises, whose files begin with their numbers: "lecture 3".
func (b *book) number(rel string) (kind string, n int) {
	kind = map[string]string{"notebooks/": "Lecture", "notebooks/exercises/": "Exercises"}[rel[:len(rel)-len(path.Base(rel))]]
	digits, _, _ := strings.Cut(path.Base(rel), "-")
	n, err := strconv.Atoi(digits)
	if b.course() || kind == "" || err != nil || n == 0 {
		return "", 0
	}
	return kind, n
}

// numbered is a title with its kind and number: "Lecture 3: Kernels".
func numbered(kind string, n int, title string) string {
	return fmt.Sprintf("%s %d: %s", kind, n, title)
}

// entry is the title of a page in the list of its kind, whose heading says the kind: "3. Kernels" for "Exercises: kernels".
func entry(n int, title string) string {
	if kind, rest, ok := strings.Cut(title, ": "); ok && (kind == "Exercises" || strings.HasPrefix(kind, "Assignment ")) {
		first, size := utf8.DecodeRuneInString(rest)
		title = string(unicode.ToUpper(first)) + rest[size:]
	}
	return fmt.Sprintf("%d. %s", n, title)
}

// withNumber says above the title of a page which lecture it is, or to which it has exercises.
func (b *book) withNumber(rel string, page []byte) []byte {
	_, n := b.number(rel)
	if n == 0 {
		return page
	}
	return []byte(strings.Replace(string(page), "<h1>", fmt.Sprintf("<p class=\"number\">Lecture %d</p>\n<h1>", n), 1))
}
