package mistake

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"marginalia/internal/notebook/gonb"
)

var (
	undefinedMember = regexp.MustCompile(`^undefined: (\w+)\.(\w+)`)
	undefinedName   = regexp.MustCompile(`^undefined: (\pL[\pL\d_]*)`)
	noMember        = regexp.MustCompile(`^(\S+)\.\w+ undefined \(type (?:untyped )?(\S+) has no field or method (\w+)`)
	alternative     = regexp.MustCompile(`but does have (?:field|method) (\w+)`)
	unexported      = regexp.MustCompile(`name (\w+) not exported by package (\w+)`)
	unknownField    = regexp.MustCompile(`unknown field (\w+) in struct literal of type (\S+?)(?:,|$)`)
	declares        = regexp.MustCompile(`(?m)^\s*((?:\pL[\pL\d_]*\s*,\s*)*\pL[\pL\d_]*)\s*:=|^\s*var\s+(\pL[\pL\d_]*)|\bfor\s+(\pL[\pL\d_]*(?:\s*,\s*\pL[\pL\d_]*)*)\s*:=`)
)

// elsewhere has names of other languages and their libraries.
var elsewhere = map[string]string{
	"None": "in Go: nil", "undefined": "in Go: nil", "null": "in Go: nil", "NULL": "in Go: nil", "True": "in Go: true", "False": "in Go: false",
	"float": "the type is float64", "double": "the type is float64", "str": "to make text: fmt.Sprint(x)",
	"abs": "of a float64: math.Abs(x)", "sqrt": "math.Sqrt(x)", "exp": "math.Exp(x)", "pow": "math.Pow(x, 2)", "pi": "math.Pi",
	"sum": "of a []float64: floats.Sum(v)", "sorted": "slices.Sort(v) sorts v itself", "printf": "fmt.Printf", "Println": "fmt.Println", "Printf": "fmt.Printf",
	"np": "gonum has vectors and matrices: packages floats and mat", "plt": "package plotting draws", "pd": "package datasets reads CSV files",
	"console": "to print: fmt.Println(x)", "System": "to print: fmt.Println(x)", "cout": "to print: fmt.Println(x)", "pass": "a block may be empty: { }",
	"self": "a method names its receiver: func (l line) at(x float64) float64 { … }",
}

// nameHint returns a hint about an undefined name: similar names, or that a variable of an
// earlier cell ended with that cell.
func (f Failure) nameHint(message, line string) string {
	message, _, _ = strings.Cut(message, "\n")
	if m := alternative.FindStringSubmatch(message); m != nil {
		return "did you mean " + m[1] + "?"
	}
	if m := undefinedMember.FindStringSubmatch(message); m != nil {
		return f.member(m[1], "", m[2])
	}
	if m := unexported.FindStringSubmatch(message); m != nil {
		return f.member(m[2], "", m[1])
	}
	if m := noMember.FindStringSubmatch(message); m != nil {
		if here := other(strings.TrimPrefix(m[2], "*"), m[3]); here != "" {
			return "in Go: " + here
		}
		pkg, typ, ok := strings.Cut(strings.TrimPrefix(m[2], "*"), ".")
		if name := m[1]; !ok && f.Members != nil && slices.Contains(f.Members(name, ""), m[3]) {
			return name + " is the variable here, which hides the package: give the variable another name"
		}
		if !ok {
			return ""
		}
		return f.member(pkg, typ, m[3])
	}
	if m := unknownField.FindStringSubmatch(message); m != nil {
		pkg, typ, ok := strings.Cut(m[2], ".")
		if !ok {
			return ""
		}
		return f.member(pkg, typ, m[1])
	}
	m := undefinedName.FindStringSubmatch(message)
	if m == nil {
		return ""
	}
	name := m[1]
	if hint := elsewhere[name]; hint != "" {
		return hint
	}
	if regexp.MustCompile(`^\s*` + name + `\s*=[^=]`).MatchString(line) {
		return name + " := … makes a new variable; " + name + " = … changes one that is there"
	}
	for count := f.Count - 1; count > 0; count-- {
		if source, ok := f.Cells(count); ok && slices.Contains(local(source), name) {
			return fmt.Sprintf("%s is a variable of cell [%d], and what stands below %%%% ends with its cell: compute it here again, or declare it above %%%% with var or in a function", name, count)
		}
	}
	for _, n := range f.Waiting {
		if n.Where == "above" && slices.Contains(local(n.Source), name) {
			return name + " is a variable of a cell above, and what stands below %% ends with its cell: compute it here again, or declare it above %% with var or in a function"
		}
	}
	if regexp.MustCompile(`\b` + name + `\.\pL`).MatchString(line) { // a package, or a variable
		if f.Members != nil && f.Members(name, "") != nil {
			return "it is a package: import it by its path, in quotes"
		}
		return suggestion(name, append(f.names(), commonPackages...), "neither a variable has this name nor a package that is imported or in the standard library; an import names its path: import \"marginalia/mlkit/svm\"")
	}
	return suggestion(name, f.names(), "")
}

// qualified turns "undefined: fmt" into "undefined: fmt.Printn". goimports imports a package
// only if it exports all the names that the program uses, so one misspelt member makes the
// whole package undefined. qualified reports whether m only follows from such a mistake in
// another line.
func (f Failure) qualified(m *Mistake) (follows bool) {
	name := undefinedName.FindStringSubmatch(m.Message)
	if name == nil || f.Members == nil || len(m.Places) == 0 {
		return false
	}
	p := &m.Places[0]
	used := regexp.MustCompile(`\b` + name[1] + `\.(\pL[\pL\d_]*)`)
	at := used.FindStringSubmatchIndex(p.Text[min(max(p.Column-1, 0), len(p.Text)):])
	members := f.Members(name[1], "")
	if at == nil || at[0] != 0 || members == nil {
		return false
	}
	member := p.Text[p.Column-1:][at[2]:at[3]]
	if !slices.Contains(members, member) {
		m.Message += "." + member
		p.Column += at[2]
		return false
	}
	source, _ := f.Cells(p.Count)
	return slices.ContainsFunc(used.FindAllStringSubmatch(source, -1), func(u []string) bool { return !slices.Contains(members, u[1]) })
}

// commonPackages are those that cells use most.
var commonPackages = []string{"fmt", "log", "math", "mat", "stat", "floats", "slices", "strings", "strconv", "sort", "rand", "time", "errors",
	"plotting", "datasets", "mlkit", "perceptron", "svm", "logistic", "leastsquares", "discriminant", "kernel", "kernelized", "cluster", "neighbors", "feature", "pipeline", "eval", "multiclass", "calibration", "unit", "derive"}

// member is the hint for a name that a package, or a type of it, does not have.
func (f Failure) member(pkg, typ, name string) string {
	of := pkg
	if typ != "" {
		of += "." + typ
	}
	if here := other(of, name); here != "" {
		return "it is " + here + " here"
	}
	if f.Members == nil {
		return ""
	}
	all := f.Members(pkg, typ)
	if len(all) == 0 {
		return ""
	}
	near := nearest(name, all)
	if len(near) == 0 && len(name) > 3 { // Dims for Dimensions
		near = slices.DeleteFunc(slices.Clone(all), func(other string) bool {
			return len(other) < 3 || !strings.EqualFold(other[:3], name[:3])
		})
	}
	switch {
	case len(near) > 0 && len(near) <= 5:
	case len(all) <= 12 || typ != "" && len(all) <= 24:
		near = all
	default:
		return ""
	}
	return of + " has " + listed(near)
}

// suggestion names what is like name, or else says otherwise.
func suggestion(name string, all []string, otherwise string) string {
	if near := nearest(name, all); len(near) > 0 {
		return "did you mean " + strings.Join(near, ", ") + "?"
	}
	return otherwise
}

func listed(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// names returns the names that the cell may use: the declarations of all cells, and its own
// variables.
func (f Failure) names() []string {
	var names []string
	for count := 1; count <= f.Count; count++ {
		source, ok := f.Cells(count)
		if !ok {
			continue
		}
		if decls, _, err := gonb.Read("cell", source).Parse(); err == nil {
			names = append(names, decls.Names()...)
		}
		if count == f.Count {
			names = append(names, local(source)...)
		}
	}
	for i, name := range names {
		if _, method, ok := strings.Cut(name, "~"); ok {
			names[i] = method
		}
	}
	names = append(names, "append", "len", "make", "max", "min", "panic", "copy", "delete", "float64", "string", "true", "false", "nil")
	slices.Sort(names)
	return slices.Compact(names)
}

// local returns the variables that a cell makes in its statements.
func local(source string) (names []string) {
	for _, m := range declares.FindAllStringSubmatch(source, -1) {
		for _, list := range m[1:] {
			for name := range strings.SplitSeq(list, ",") {
				if name = strings.TrimSpace(name); name != "" && name != "_" {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// nearest returns at most three names that are most like name. They differ in case, in at
// most a third of the letters, or are name with letters left out.
func nearest(name string, all []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	var found []candidate
	for _, other := range all {
		d := distance(strings.ToLower(name), strings.ToLower(other))
		// Another name of one or two letters is no misspelling, unless a letter is too many or
		// missing.
		long, short := max(len([]rune(name)), len([]rune(other))), min(len([]rune(name)), len([]rune(other)))
		slip := d == 0 || long > 2 || long > short
		if other != name && (slip && 3*d <= max(len([]rune(name)), 3) || shortens(other, name)) {
			found = append(found, candidate{other, d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.distance - b.distance })
	var names []string
	for _, c := range found {
		if c.distance == found[0].distance && len(names) < 3 {
			names = append(names, c.name)
		}
	}
	return names
}

// shortens reports whether short is long with letters left out, as Sqrt is of SquareRoot.
func shortens(short, long string) bool {
	rest := []rune(strings.ToLower(short))
	if len(rest) < 4 || !strings.EqualFold(short[:1], long[:min(1, len(long))]) {
		return false
	}
	for _, r := range strings.ToLower(long) {
		if len(rest) > 0 && rest[0] == r {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
}

// distance is the number of letters to change, add, leave out or swap with the next to make
// a into b (Damerau, A technique for computer detection and correction of spelling errors,
// 1964; no letter twice).
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	d := make([][]int, len(s)+1)
	for i := range d {
		d[i] = make([]int, len(t)+1)
		d[i][0] = i
	}
	for j := range t {
		d[0][j+1] = j + 1
	}
	for i := range s {
		for j := range t {
			change := 1
			if s[i] == t[j] {
				change = 0
			}
			d[i+1][j+1] = min(d[i][j]+change, d[i][j+1]+1, d[i+1][j]+1)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				d[i+1][j+1] = min(d[i+1][j+1], d[i-1][j-1]+1)
			}
		}
	}
	return d[len(s)][len(t)]
}
