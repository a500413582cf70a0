package mlkit_test

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var updateNames = flag.Bool("update", false, "write docs/names.md anew")

const namesFile = "../docs/names.md"

// conceptOf returns the index in concepts of the one that n stands for, or -1.
func conceptOf(n name) int {
	found := -1
	for i, c := range concepts {
		if c.word == n.word && (slices.Contains(c.of, n.of) || c.of == nil && found < 0) {
			found = i
		}
	}
	return found
}

// One word has one meaning in all packages of mlkit, and a meaning has one word: concepts has
// both. docs/names.md shows them, with the names that stand in one place only.
func TestNames(t *testing.T) {
	skipShort(t)
	names := exportedNames(t)
	if len(names) < 1000 {
		t.Fatalf("%d names found", len(names))
	}
	places := map[string]int{}
	for _, n := range names {
		if n.kind != "constant" {
			places[n.word]++
		}
	}
	claimed := make([][]name, len(concepts))
	var alone []name
	for _, n := range names {
		checkWord(t, n)
		i := conceptOf(n)
		switch {
		case n.kind != "constant" && i >= 0:
			claimed[i] = append(claimed[i], n)
		case n.kind != "constant" && (places[n.word] > 1 || n.parameter):
			t.Errorf("%s %s.%s: concepts has no %s: give it the word that its meaning has there, or add a line", n.kind, n.of, n.word, n.word)
		default:
			if alone = append(alone, n); n.doc == "" {
				t.Errorf("%s %s.%s has no comment: say what it is", n.kind, n.of, n.word)
			}
		}
	}
	for i, c := range concepts {
		if len(claimed[i]) == 0 {
			t.Errorf("nothing is named %s (%s)", c.word, c.concept)
		}
		for _, place := range c.of {
			if !slices.ContainsFunc(claimed[i], func(n name) bool { return n.of == place }) {
				t.Errorf("%s has no %s (%s)", place, c.word, c.concept)
			}
		}
		differ := false
		for _, n := range claimed[i] {
			first := claimed[i][slices.IndexFunc(claimed[i], func(m name) bool { return m.kind == n.kind })]
			if n.signature != first.signature {
				differ = true
				if !c.varies {
					t.Errorf("%s.%s is a %s, but %s.%s is a %s: want one type, or varies", n.of, n.word, n.typ, first.of, first.word, first.typ)
				}
			}
		}
		if c.varies && !differ {
			t.Errorf("all %s have one type: varies is wrong", c.word)
		}
	}
	page := namesPage(claimed, alone)
	if *updateNames {
		if err := os.WriteFile(namesFile, []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	stored, err := os.ReadFile(namesFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(stored) != page {
		t.Error("docs/names.md is not what the declarations say: run go test ./mlkit -run TestNames -update")
	}
	if !t.Failed() {
		t.Log(page)
	}
	for word := range singular {
		if !slices.ContainsFunc(names, func(n name) bool { return n.word == word && n.slice() }) {
			t.Errorf("no slice is named %s, which singular has", word)
		}
	}
}

// checkWord tests the rules for a single name: no synonym of another word, and a plural for a
// slice or a count and for nothing else.
func checkWord(t *testing.T, n name) {
	t.Helper()
	if n.kind != "type" && n.kind != "constant" {
		for _, s := range synonyms {
			if regexp.MustCompile(s.pattern).MatchString(n.word) {
				t.Errorf("%s.%s: the word for that is %s", n.of, n.word, s.word)
			}
		}
	}
	if n.kind != "field" {
		return
	}
	plural := strings.HasSuffix(n.word, "s") && !strings.HasSuffix(n.word, "ss") && n.word != "Bias"
	if n.slice() && !plural && !letters.MatchString(n.word) && singular[n.word] == "" {
		t.Errorf("%s.%s is a %s: a slice is plural", n.of, n.word, n.typ)
	}
	if plural && (n.typ == "float64" || n.typ == "bool") {
		t.Errorf("%s.%s is a %s: only slices and counts are plural", n.of, n.word, n.typ)
	}
}
