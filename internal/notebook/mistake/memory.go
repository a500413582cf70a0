package mistake

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"marginalia/internal/notebook/gonb"
)

// A Neighbour is a cell of the notebook that was not executed.
type Neighbour struct {
	Source string
	Where  string // "above", "below" or, if that can't be told, "elsewhere"
}

var (
	redeclared  = regexp.MustCompile(`^([\pL_][\pL\d_]*) redeclared in this block`)
	notUsed     = regexp.MustCompile(`^"([^"]+)" imported(?: as \w+)? and not used`)
	unused      = regexp.MustCompile(`^declared and not used: (\S+)`)
	blockHead   = regexp.MustCompile(`(?m)^(?:func|type|var|const)\s+([\pL_][\pL\d_]*)`)
	droppedLine = regexp.MustCompile(`^package\s+\w+\s*(//.*)?$`)
)

// memoryHint is the hint for a message whose reason is what GoNB remembers of earlier cells,
// what it has not seen yet, or what it drops.
func (f Failure) memoryHint(m Mistake) string {
	if name := firstGroup(redeclared, m.Message); name != "" {
		return f.twice(name)
	}
	if path := firstGroup(notUsed, m.Message); path != "" {
		return f.dotImport(path)
	}
	name := firstGroup(undefinedName, m.Message)
	if name != "" && !strings.HasPrefix(m.Message, "undefined: "+name+".") {
		if hint := f.dropped(name, m); hint != "" {
			return hint
		}
		if hint := f.outside(name, m); hint != "" {
			return hint
		}
		return f.unseen(name)
	}
	if name := firstGroup(unused, m.Message); name != "" {
		return f.dropped(name, m)
	}
	if at := noMember.FindStringSubmatch(m.Message); at != nil && !strings.Contains(at[2], ".") {
		return f.unseen(strings.TrimPrefix(at[2], "*") + "~" + at[3])
	}
	return ""
}

func firstGroup(pattern *regexp.Regexp, text string) string {
	if at := pattern.FindStringSubmatch(text); at != nil {
		return at[1]
	}
	return ""
}

// own returns what the cell declares, nothing if it does not parse.
func (f Failure) own() *gonb.Decls {
	source, _ := f.Cells(f.Count)
	decls, _, err := gonb.Read("cell", source).Parse()
	if err != nil {
		return gonb.NewDecls()
	}
	return decls
}

// twice is the hint for a name that is declared twice.
func (f Failure) twice(name string) string {
	if !slices.Contains(f.own().Names(), name) {
		return "the name is declared in these braces already: assign with =, or take another name"
	}
	if f.Remembered == nil || !slices.Contains(f.Remembered.Names(), name) {
		return "one name stands for one thing: take another name"
	}
	if head, _ := f.Remembered.Head(name); head != "" && head != name {
		return fmt.Sprintf("GoNB knows a group of constants by the first: %%rm %s forgets the earlier group", head)
	}
	return "an earlier cell declares the name as something else: take another name, or forget that one with %rm " + name
}

// dotImport is the hint for a dot import of which the program uses nothing.
func (f Failure) dotImport(path string) string {
	key := ".~" + path
	switch {
	case f.own().Imports[key] != nil:
		return fmt.Sprintf("no name of this package is used: write import %q, which GoNB leaves out where it is not needed", path)
	case f.Remembered != nil && f.Remembered.Imports[key] != nil:
		return fmt.Sprintf("each cell has to use what was imported with a dot: %%rm %s forgets this import", key)
	}
	return ""
}

// dropped is the hint for a name of a line that GoNB drops.
func (f Failure) dropped(name string, m Mistake) string {
	if len(m.Places) == 0 {
		return ""
	}
	source, _ := f.Cells(m.Places[0].Count)
	word := regexp.MustCompile(`(^|[^\pL\d_.])` + regexp.QuoteMeta(name) + `($|[^\pL\d_])`)
	for i, line := range strings.Split(source, "\n") {
		if strings.HasPrefix(line, "package") && !droppedLine.MatchString(strings.TrimSpace(line)) && word.MatchString(line) {
			return fmt.Sprintf(`GoNB drops line %d, as every line that begins with "package": put a space before it`, i+1)
		}
	}
	return ""
}

// outside is the hint for a variable that is used below the braces in which it is declared.
func (f Failure) outside(name string, m Mistake) string {
	if len(m.Places) == 0 || m.Places[0].Count != f.Count {
		return ""
	}
	source, _ := f.Cells(f.Count)
	code := blanked(source)
	quoted := regexp.QuoteMeta(name)
	declared := regexp.MustCompile(`(?:^|[^\pL\d_.])` + quoted + `(?:\s*,\s*[\pL_][\pL\d_]*)*\s*:=|\bvar\s+` + quoted + `\s`)
	for i := min(m.Places[0].Line-1, len(code)) - 1; i >= 0; i-- {
		if declared.MatchString(code[i]) {
			return fmt.Sprintf("%s of line %d ends with the braces in which it is declared: declare it before them", name, i+1)
		}
	}
	return ""
}

// unseen is the hint for a name, or Type~Method, that is declared in this notebook, and that GoNB
// does not know.
func (f Failure) unseen(key string) string {
	name := key
	if typ, method, ok := strings.Cut(key, "~"); ok {
		name = "the method " + method + " of " + typ
	}
	if f.Remembered != nil {
		all := f.Remembered.Clone()
		all.Merge(f.own())
		if head, lost := all.Head(key); lost {
			return fmt.Sprintf("GoNB knows a group of constants by the first, %s, and lost %s when %[1]s was declared anew or removed: declare the group again", head, name)
		}
	}
	for count := f.Count - 1; count > 0; count-- {
		if source, ok := f.Cells(count); ok && declaresAbove(source, key) {
			return fmt.Sprintf("cell [%d] declares %s: run it again; if it fails, mend it first", count, name)
		}
	}
	for _, n := range f.Waiting {
		if !declaresAbove(n.Source, key) {
			continue
		}
		switch n.Where {
		case "above":
			return "a cell above declares " + name + ", and was not run: Run › Run All Above Selected Cell"
		case "below":
			return "a cell below declares " + name + ": run that one first"
		}
		return "another cell of the notebook declares " + name + ", and was not run: run it first"
	}
	return ""
}

// declaresAbove reports whether a cell declares a key of GoNB's, for later cells.
func declaresAbove(source, key string) bool {
	decls, _, err := gonb.Read("cell", source).Parse()
	if err == nil {
		return slices.Contains(decls.Names(), key)
	}
	for _, m := range blockHead.FindAllStringSubmatch(strings.Join(blanked(source), "\n"), -1) {
		if m[1] == key {
			return true
		}
	}
	return false
}
