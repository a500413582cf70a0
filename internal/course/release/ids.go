package release

import (
	"fmt"
	"strings"
	"unicode"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
)

// nameOf returns after what a cell is named: an answer after what it declares, or the first test of its question; tests
// after their first test, or the answer before it. Students see the name, so it is made of nothing that is kept from
// them. It is "" where there is nothing.
func nameOf(cells []*nbformat.Cell, texts []cellText, s *Said) string {
	switch s.Meta.Kind() {
	case nbgrader.Tests:
		if m := testFunc.FindStringSubmatch(texts[s.Cell].visible); m != nil {
			if name := slug(strings.TrimPrefix(m[1], "Test")); name != "" {
				return name + "-test"
			}
		}
		for i := s.Cell - 1; i >= 0 && len(texts[i].tests) == 0; i-- {
			if m := declared.FindStringSubmatch(texts[i].visible); m != nil && texts[i].solution && slug(m[1]) != "" {
				return slug(m[1]) + "-test"
			}
		}
	case nbgrader.Answer, nbgrader.ManualAnswer:
		if cells[s.Cell].Type != "code" {
			return ""
		}
		if m := declared.FindStringSubmatch(texts[s.Cell].visible); m != nil {
			return slug(m[1])
		}
		if s.Meta.Kind() == nbgrader.ManualAnswer {
			return ""
		}
		for _, t := range texts[s.Cell+1:] {
			if m := testFunc.FindStringSubmatch(t.visible); m != nil {
				return slug(strings.TrimPrefix(m[1], "Test"))
			}
		}
	}
	return ""
}

// free returns a grade_id that no other cell has: the name, or the kind or, for a given cell, its own id, where there is
// none; with a number, if need be.
func free(used map[string]bool, name string, kind nbgrader.Kind, own string) string {
	first := 2
	switch {
	case name != "":
	case kind == nbgrader.Given:
		name = own // which JupyterLab keeps
	default:
		name, first = strings.ReplaceAll(kind.String(), " ", "-"), 1
	}
	id := name
	for n := first; first == 1 && n == 1 || used[id]; n++ {
		id = fmt.Sprintf("%s-%d", name, n)
	}
	used[id] = true
	return id
}

// slug is a name of Go's in small letters with hyphens: LeastSquares is least-squares, SVMFit svm-fit.
func slug(name string) string {
	var b strings.Builder
	letters := []rune(name)
	hyphen := func() {
		if b.Len() > 0 && !strings.HasSuffix(b.String(), "-") {
			b.WriteByte('-')
		}
	}
	for i, r := range letters {
		if unicode.IsUpper(r) && i > 0 && (!unicode.IsUpper(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1])) {
			hyphen()
		}
		if r = unicode.ToLower(r); 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			b.WriteRune(r)
		} else {
			hyphen()
		}
	}
	return strings.Trim(b.String(), "-")
}
