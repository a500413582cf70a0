package mlkit_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

const namesIntroduction = `# The names of mlkit

One word has one meaning in all packages, and one type. ` + "`go test ./mlkit -run TestNames -update`" + ` writes this page from the declarations and their comments, and from the concepts in ` + "`mlkit/concepts_test.go`" + `. The test fails if the page is stale, if a name has a second type or a meaning that is not listed, or if a second word for the same thing comes up.

- A slice or a count has a plural name: ` + "`Slacks`, `Iterations`" + `. A hyperparameter may be the number of what the model then lists: ` + "`Landmarks`" + `. The singular is for single letters, for one vector or matrix, and for the adjectives of the lectures (` + "`Free`, `Support`" + `).
- ` + "`Score`, `Predict`, `Prob`, `Posterior`" + ` take one sample; their plurals take the rows of a matrix. Of maps it is ` + "`TransformSample` and `Transform`" + `.
- A struct without Model in its name is an algorithm, and its ` + "`Fit`" + ` returns the model.
- Where a type varies, it is that of the algorithm or of the package.
`

// namesPage is docs/names.md: the concepts by area with the names that stand for them, words
// with a second meaning, and by package the names that stand in one place only.
func namesPage(claimed [][]name, alone []name) string {
	var b strings.Builder
	b.WriteString(namesIntroduction)
	row := func(cells ...string) {
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	area := ""
	for i, c := range concepts {
		if c.area != area {
			area = c.area
			fmt.Fprintf(&b, "\n## %s\n\n", area)
			row("concept", "name", "type", "where", "meaning")
			row("---", "---", "---", "---", "---")
		}
		row(c.concept, inCode(c.word), typesOf(claimed[i]), placesOf(claimed[i]), c.meaning)
	}
	byPackage := map[string][]name{}
	for _, n := range alone {
		pkg, _, _ := strings.Cut(n.of, ".")
		byPackage[pkg] = append(byPackage[pkg], n)
	}
	b.WriteString("\n## Names of one place\n")
	for _, pkg := range slices.Sorted(maps.Keys(byPackage)) {
		fmt.Fprintf(&b, "\n### %s\n\n", pkg)
		row("name", "type", "where", "meaning")
		row("---", "---", "---", "---")
		for _, n := range byPackage[pkg] {
			row(inCode(n.word), typesOf([]name{n}), n.of, strings.ReplaceAll(n.doc, "|", `\|`))
		}
	}
	return b.String()
}

func inCode(s string) string { return "`" + strings.ReplaceAll(s, "|", `\|`) + "`" }

// typesOf returns the types of names, or "varies" if there are more than two. Types and
// constants are called so.
func typesOf(names []name) string {
	var all, seen []string
	for _, n := range names {
		text := n.kind
		if n.kind == "field" || n.kind == "method" || n.kind == "function" {
			text = inCode(n.typ)
		}
		if !slices.Contains(seen, n.kind+n.signature) {
			seen, all = append(seen, n.kind+n.signature), append(all, text)
		}
	}
	if all = slices.Compact(all); len(all) > 2 {
		return "varies"
	}
	return strings.Join(all, ", ")
}

// placesOf returns where names stand: in which types, or in how many if they are more than
// ten.
func placesOf(names []name) string {
	var all, packages []string
	for _, n := range names {
		pkg, _, _ := strings.Cut(n.of, ".")
		packages = append(packages, pkg)
		all = append(all, n.of)
	}
	if len(all) > 10 {
		return fmt.Sprintf("%d places in %s", len(all), strings.Join(slices.Compact(packages), ", "))
	}
	return strings.Join(slices.Compact(all), ", ")
}
