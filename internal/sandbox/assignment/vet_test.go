package assignment_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// faults are answers that go vet refuses and the grader takes.
const faults = `import ("errors"; "fmt"; "io"; "sync/atomic")

func Tell(x int) string {
	fmt.Println("x is", x, "\n")
	fmt.Printf("%d\n", "x")
	fmt.Printf("%d %d\n", x)
	fmt.Println("%d", x)
	fmt.Printf("done", x)
	logf("%s", 3)
	if x == 1 || x == 1 {
		return string(x)
	}
	n := uint64(x)
	n = atomic.AddUint64(&n, 1)
	var missing error
	errors.As(missing, missing)
	if Tell == nil {
		return ""
	}
	var r interface{ Read() }
	_ = r.(io.Reader)
	return fmt.Sprint(n)
}

func logf(format string, args ...any) { fmt.Printf(format, args...) }

func Testable(x int) int { return x }`

// A student reads go vet's own words, since %test on the kernel does, and what to write instead.
func TestVet(t *testing.T) {
	parts := []part{{"given", "given", "import \"testing\""}, {"answer", "tell", "func Tell(x int) string { return \"\" }"},
		{"tests", "tell-test", "%test\nfunc TestTell(t *testing.T) {\n\tif Tell(1) != \"\" {\n\t\tt.Error()\n\t}\n}"}}
	a := read(t, parts)
	a.MayImport = func(string) bool { return true }
	parts[1].source = faults
	g, err := a.Assemble(t.Context(), notebook(t, parts...), nil, nil)
	if err != nil || len(g.Notes) > 0 {
		t.Fatal(err, g.Notes)
	}
	problems, err := g.Vet(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range problems {
		got = append(got, p.String())
	}
	all := strings.Join(got, "\n")
	for _, want := range []string{"cell tell, line 4: go vet: fmt.Println arg list ends with redundant newline (it ends the line itself: leave \\n out)", "(want the function whose name ends in f)", "(want an argument for each verb)"} {
		if !strings.Contains(all, want) {
			t.Errorf("%s, want %s", all, want)
		}
	}
	want := []string{
		"comparison of function Tell == nil is always false",
		"conversion from int to string yields a string of one rune, not a string of digits",
		"direct assignment to atomic value",
		"fmt.Printf call has arguments but no formatting directives",
		"fmt.Printf format %d has arg \"x\" of wrong type string",
		"fmt.Printf format %d reads arg #2, but call has 1 arg",
		"fmt.Println arg list ends with redundant newline",
		"fmt.Println call has possible Printf formatting directive %d",
		"impossible type assertion: no type can implement both interface{Read()} and io.Reader (conflicting types for Read method)",
		"logf format %s has arg 3 of wrong type int",
		"redundant or: x == 1 || x == 1",
		"second argument to errors.As must be a non-nil pointer to either a type that implements error, or to any interface type",
	} // go vet of Go 1.26.8
	hint := regexp.MustCompile(`^cell tell, line \d+: go vet: (.*?)( \((?:it ends|want) .*\))?$`)
	for i := range got {
		got[i] = hint.ReplaceAllString(got[i], "$1")
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
