package assignment_test

import (
	"fmt"
	"strings"
	"testing"

	"marginalia/internal/testkit/must"
)

// three questions; the answer to each may use the others.
var three = []part{
	{"given", "imports", "import (\n\t\"errors\"\n\t\"fmt\"\n\t\"testing\"\n)\n\ntype Number interface{ Value() float64 }\n\nvar hook func(x float64) float64\n\nvar data = []float64{1, 2}\n\nfunc twice(f func(x float64) float64, x float64) float64 { return f(f(x)) }\n\nfunc ask(x float64) float64 { return Second(x) }"},
	{"answer", "first", "func First(x float64) float64 { return x * x }"},
	{"tests", "first-test", "%test\nfunc TestFirst(t *testing.T) {\n\tif First(2) != 4 {\n\t\tt.Error(First(2))\n\t}\n}"},
	{"answer", "second", "func Second(x float64) float64 { return power(x, 2) }\n\nfunc power(x float64, n int) float64 {\n\tif n == 0 {\n\t\treturn 1\n\t}\n\treturn x * power(x, n-1)\n}"},
	{"tests", "second-test", "%test\nfunc TestSecond(t *testing.T) {\n\tif Second(2) != 4 {\n\t\tt.Error(Second(2))\n\t}\n}"},
	{"answer", "third", "type Third struct{ x float64 }\n\nfunc (t Third) Value() float64 { return t.x * t.x }\n\nfunc Make(x float64) Number { return Third{x} }"},
	{"tests", "third-test", "%test\nfunc TestThird(t *testing.T) {\n\tvar none *Third\n\tif none != nil || Make(2).Value() != 4 {\n\t\tt.Error(Make(2))\n\t}\n}"},
}

// Answers that need each other are found however they call one another. Answers that share a helper, data or a table do not
// need each other, nor do two answers if only one uses the other.
func TestCircles(t *testing.T) {
	a := read(t, three)
	const (
		first     = "func First(x float64) float64 { return x * x }"
		second    = "func Second(x float64) float64 { return x * x }"
		third     = "type Third struct{ x float64 }\n\nfunc (t Third) Value() float64 { return t.x * t.x }\n\nfunc Make(x float64) Number { return Third{x} }"
		twin      = "func First(x float64) float64 { return Second(x) }"
		ofTwin    = "func Second(x float64) float64 { return First(x) }"
		firstTwo  = "[[first-test second-test]]"
		allThree  = "[[first-test second-test third-test]]"
		lastThird = "[[first-test third-test]]"
	)
	for name, c := range map[string]struct{ first, second, third, own, want string }{
		"none":             {first, second, third, "", "[]"},
		"one way":          {twin, second, third, "", "[]"},
		"twin":             {twin, ofTwin, third, "", firstTwo},
		"three":            {twin, "func Second(x float64) float64 { return Make(x).Value() }", "type Third struct{ x float64 }\n\nfunc (t Third) Value() float64 { return First(t.x) }\n\nfunc Make(x float64) Number { return Third{x} }", "", allThree},
		"own cell":         {"func First(x float64) float64 { return mine(x) }", ofTwin, third, "func mine(x float64) float64 { return Second(x) }", firstTwo},
		"given function":   {"func First(x float64) float64 { return ask(x) }", ofTwin, third, "", firstTwo},
		"function value":   {"func First(x float64) float64 { f := Second; return f(x) }", "func Second(x float64) float64 { return twice(First, x) }", third, "", firstTwo},
		"variable":         {"func First(x float64) float64 { return way(x) }", "func Second(x float64) float64 { return back(x) }", third, "var way, back = Second, First", firstTwo},
		"given hook":       {"func First(x float64) float64 { return hook(x) }", "func Second(x float64) float64 { hook = func(x float64) float64 { return x * x }; return First(x) }", third, "", firstTwo},
		"in init":          {"func First(x float64) float64 { return table[\"f\"](x) }", ofTwin, third, "var table = map[string]func(float64) float64{}\n\nvar _ = fill()\n\nfunc fill() int { table[\"f\"] = Second; return 1 }", firstTwo},
		"handed on":        {"func First(x float64) float64 { return box.f(x) }", ofTwin, third, "type holder struct{ f func(float64) float64 }\n\nvar box = &holder{}\n\nvar _ = put(box)\n\nfunc put(h *holder) int { h.f = Second; return 1 }", firstTwo},
		"setter":           {"func First(x float64) float64 { return box.f(x) }", ofTwin, third, "type holder struct{ f func(float64) float64 }\n\nfunc (h *holder) set() int { h.f = Second; return 1 }\n\nvar box holder\n\nvar _ = box.set()", firstTwo},
		"method":           {"func First(x float64) float64 { return Third{x}.Value() }", second, "type Third struct{ x float64 }\n\nfunc (t Third) Value() float64 { return First(t.x) }\n\nfunc Make(x float64) Number { return Third{x} }", "", lastThird},
		"interface":        {"func First(x float64) float64 { return Make(x).Value() }", second, "type Third struct{ x float64 }\n\nfunc (t Third) Value() float64 { return First(t.x) }\n\nfunc Make(x float64) Number { return Third{x} }", "", lastThird},
		"embedded":         {"func First(x float64) float64 { return outer{Third{x}}.Value() }", second, "type Third struct{ x float64 }\n\nfunc (t Third) Value() float64 { return First(t.x) }\n\nfunc Make(x float64) Number { return Third{x} }", "type outer struct{ Third }", lastThird},
		"expression":       {"func First(x float64) float64 { return Third.Value(Third{x}) }", second, "type Third struct{ x float64 }\n\nfunc (t Third) Value() float64 { return First(t.x) }\n\nfunc Make(x float64) Number { return Third{x} }", "", lastThird},
		"channel":          {"var answers = make(chan float64, 1)\n\nfunc First(x float64) float64 { return <-answers }\n\nvar _ = serve()\n\nfunc serve() bool { go func() { answers <- Second(2) }(); return true }", ofTwin, third, "", firstTwo},
		"generic":          {"func First(x float64) float64 { return call[float64](Second, x) }", ofTwin, third, "func call[T any](f func(T) T, x T) T { return f(x) }", firstTwo},
		"constraint":       {"func First(x float64) float64 { return of(Third{x}) }", second, "type Third struct{ x float64 }\n\nfunc (t Third) Value() float64 { return First(t.x) }\n\nfunc Make(x float64) Number { return Third{x} }", "func of[T Number](x T) float64 { return x.Value() }", lastThird},
		"printed":          {"func First(x float64) float64 { return float64(len(fmt.Sprint(Third{x}))) }", second, third + "\n\nfunc (t Third) String() string { return string(rune(First(1))) }", "", lastThird},
		"does not compile": {"func First(x float64) float64 { return Second(x, 1) }", "func Second(x float64) float64 { return First(x) + undefined }", third, "", firstTwo},
		"elsewhere":        {"", ofTwin, third, twin, firstTwo},
		"shared helper":    {"func First(x float64) float64 { return product(x, x) }\n\nfunc product(x, y float64) float64 { return x * y }", "func Second(x float64) float64 { return product(x, First(x)) / x }", third, "", "[]"},
		"shared cell":      {"func First(x float64) float64 { return a(x) }", "func Second(x float64) float64 { return b(x) + First(x) }", third, "func a(x float64) float64 { return x }\n\nfunc b(x float64) float64 { return Make(x).Value() }", "[]"},
		"shared data":      {"func First(x float64) float64 { return data[0] + scale(data) }", "func Second(x float64) float64 { return scale(data) + First(x) }", third, "func scale(x []float64) float64 { return x[0] }\n\nvar tried = Second(2)", "[]"},
		"shared table":     {"func First(x float64) float64 { return kinds[\"a\"](x) }", "func Second(x float64) float64 { return kinds[\"a\"](First(x)) }", third, "var kinds = map[string]func(float64) float64{\"a\": half}\n\nfunc half(x float64) float64 { return x / 2 }", "[]"},
		"shared error":     {"func First(x float64) float64 { return look(errSmall) }", "func Second(x float64) float64 { return look(errSmall) + First(x) }", third, "var errSmall = errors.New(\"small\")\n\nfunc look(err error) float64 { return 1 }", "[]"},
		"local name":       {"func First(x float64) float64 { Second := x; return Second }", ofTwin, third, "", "[]"},
		"a helper's name":  {"func First(x float64) float64 { return power(x) }\n\nfunc power(x float64) float64 { return Second(x) }", ofTwin, third, "", firstTwo},
	} {
		t.Run(name, func(t *testing.T) {
			parts := []part{{"given", "imports", three[0].source}, {"answer", "first", c.first}, {"answer", "second", c.second}, {"answer", "third", c.third}, {"extra", "", c.own}}
			g := must.Get(a.Assemble(t.Context(), notebook(t, parts...), nil, nil)).Or(t)
			if got := fmt.Sprint(g.Circles()); got != c.want {
				t.Errorf("circles %s, want %s; notes %v", got, c.want, g.Notes)
			}
		})
	}
}

// Beside what stands in for an answer all that is the student's stays, and means what it meant: two declarations on a line are
// two, helpers are not the solution's of the same name, and a fault of one is no fault of the solution.
func TestStandIns(t *testing.T) {
	a := read(t, mutated)
	const variance = "func Variance(x []float64) float64 {\n\tm, _ := Mean(x)\n\treturn total(squares(x, m)) / n(x)\n}"
	lines := func(n int) string { return strings.Repeat("\t_ = undefined\n", n) }
	cases := map[string]struct {
		own       []part
		reference []string
		has, lack []string
	}{
		"same line":        {[]part{{"answer", "limits", "const Limit = 6; var Order = []string{\"a\", \"b\"}\n\nfunc Within(x float64) bool {\n\treturn x < Limit }; func unfinished() int { return undefined }"}}, nil, []string{"t.Func(\"Within\", Within)"}, nil},
		"same line, types": {[]part{{"answer", "stack", "type Stack struct{ n int }; type unfinished struct{ undefined }\n\nfunc (s *Stack) Push(float64) { s.n++ }; func (s *Stack) Len() int { return s.n }; var a, b = 1, undefined"}}, nil, []string{"(*Stack).Push", "(*Stack).Len"}, nil},
		"hidden helper":    {[]part{{"answer", "mean", "func Mean(x []float64) (float64, error) { return average(x), nil }\n\nfunc average(x []float64) float64 { return 7 }"}}, nil, []string{"return 7", "t.Func(\"Mean\", Mean)"}, nil},
		"other meaning":    {[]part{{"answer", "variance", "func Variance(x []float64) float64 { return 0 }"}, {"answer", "limits", "const Limit = 6\n\nvar Order = []string{n()}\n\nfunc Within(x float64) bool { return n() == \"\" }\n\nfunc n() string { return \"mine\" }"}}, []string{"variance"}, []string{"return \"mine\"", "func marginalia_solution_n(", "t.Func(\"Within\", Within)"}, nil},
		"of another":       {[]part{{"answer", "mean", "func Mean(x []float64) (float64, error) { return sum(x), nil }\n\nfunc sum(x []float64) float64 { return x[0] }"}, {"answer", "variance", "func Variance(x []float64) float64 { return 1 }"}}, []string{"variance"}, []string{"func marginalia_solution_total(", "func sum("}, []string{"func Mean(x []float64) (float64, error) {\n\tif len(x) == 0"}},
		"no private names": {[]part{{"answer", "mean", "func Mean(x []float64) (float64, error) { return marginalia_solution_total(x), nil }"}}, []string{"variance"}, []string{"marginalia_worker.Missing"}, []string{"{ return marginalia_solution_total(x), nil }"}},
		"private constant": {[]part{{"answer", "limits", "const (\n\tLimit = marginalia_solution_second\n\tother\n)\n\nvar Order, _ = func() ([]string, int) { return nil, marginalia_solution_first }()\n\nfunc Within(x float64) bool { return x < other }"}}, []string{"stack"}, nil, []string{"= marginalia_solution_second", "nil, marginalia_solution_first"}},
		"type not written": {[]part{{"answer", "stack", "func (s *Stack) Push(float64) {}"}}, nil, []string{"type Stack struct{}"}, []string{"all []float64"}},
	}
	for n := range 6 {
		cases[fmt.Sprint("one mistake in ", n)] = struct {
			own       []part
			reference []string
			has, lack []string
		}{[]part{{"answer", "mean", "func Mean(x []float64) (float64, error) { return total(x) / float64(len(x)), nil }\n" + strings.Repeat("\n", 3+n) +
			"func total(x []float64) (s float64) {\n\tfor _, v := range x {\n\t\ts += v + w\n\t}\n" + lines(n) + "\treturn s\n}\n\nfunc squares(x []float64, m float64) []float64 { return x }"},
			{"answer", "variance", strings.Replace(variance, "total(squares(x, m)) / n(x)", "m * 2", 1)}},
			[]string{"mean"}, []string{"marginalia_solution_total(x) / float64", "t.Func(\"Mean\", Mean)", "t.Func(\"Variance\", Variance)", "m * 2"}, []string{"v + w"}}
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			own := append([]part(nil), mutated...)
			for _, p := range c.own {
				for i := range own {
					if own[i].id == p.id {
						own[i] = p
					}
				}
			}
			g := must.Get(a.Assemble(t.Context(), notebook(t, own...), c.reference, nil)).Or(t)
			text := string(g.Files["cells.go"]) + string(g.Files["worker.go"])
			for _, has := range c.has {
				if !strings.Contains(text, has) {
					t.Errorf("no %s in\n%s\nnotes %v", has, text, g.Notes)
				}
			}
			for _, lack := range c.lack {
				if strings.Contains(text, lack) {
					t.Errorf("%s in\n%s", lack, text)
				}
			}
			for _, secret := range []string{"average", "total", "first"} {
				if notes := fmt.Sprint(g.Notes); strings.Contains(notes, "it declares "+secret) {
					t.Errorf("notes %s tell of %s", notes, secret)
				}
			}
		})
	}
}

// A variable or a constant of any type counts that can be used where tests use the solution's.
func TestValuesOfOtherTypes(t *testing.T) {
	a := read(t, mutated)
	for source, want := range map[string]string{
		"const Limit = 6":                           "",
		"var Limit = 2 * 3":                         "",
		"const Limit int = 6":                       "",
		"const Limit = 6.0":                         "",
		"const Limit = 'a'":                         "",
		"var Limit = 6.0":                           "it is float64, want int",
		"const Limit = 6.5":                         "it is untyped float, want int",
		"const Limit = \"6\"":                       "it is untyped string, want int",
		"var Limit uint8 = 6":                       "it is uint8, want int",
		"type number = int\n\nvar Limit number = 6": "",
		"type number int\n\nvar Limit number = 6":   "it is number, want int",
		"func Limit() int { return 6 }":             "it is func() int, want int",
	} {
		own := append([]part(nil), mutated...)
		own[7].source = source + "\n\nvar Order = []string{\"a\", \"b\"}\n\nfunc Within(x float64) bool { return x < 6 }"
		g := must.Get(a.Assemble(t.Context(), notebook(t, own...), nil, nil)).Or(t)
		if g.Missing["Limit"] != want || (len(g.Notes) > 0) != (want != "") {
			t.Errorf("%s: %q, want %q; notes %v", source, g.Missing["Limit"], want, g.Notes)
		}
	}
}

// What a given cell can't use of a student's is left out by itself, and costs nothing else in its cell.
func TestGivenCellsThatCallAnswers(t *testing.T) {
	a := read(t, three)
	parts := append([]part(nil), three...)
	parts[3].source = "func Second(x int) int { return x }\n\nfunc other(x float64) float64 { return x * x }"
	parts[1].source = "func First(x float64) float64 { return other(x) }"
	g := must.Get(a.Assemble(t.Context(), notebook(t, parts...), nil, nil)).Or(t)
	const want = "it is func(int) int, want func(float64) float64"
	if notes := fmt.Sprint(g.Notes); g.Missing["Second"] != want || notes != "[cell second, line 1: Second: "+want+"]" || g.Missing["First"] != "" {
		t.Errorf("missing %v, notes %s", g.Missing, notes)
	}
}
