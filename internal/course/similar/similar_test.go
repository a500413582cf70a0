package similar

import (
	"context"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/property"
)

// cellsOf reads a solution from testdata: each top-level declaration is a cell, called
// by the name of the function.
func cellsOf(t testing.TB, name string) (cells []Solution) {
	t.Helper()
	data := must.Get(os.ReadFile("testdata/" + name + ".go.txt")).Or(t)
	for decl := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n}\n") {
		decl = strings.TrimSpace(decl) + "\n}\n"
		id := decl[:strings.Index(decl, "{")]
		id, _, _ = strings.Cut(id[strings.LastIndex(id, "func ")+1:], "(")
		cells = append(cells, Solution{fmt.Sprintf("%d %s", len(cells), strings.TrimSpace(id)), decl})
	}
	return cells
}

// renamed writes a cell with all names of its own changed, all numbers another, a
// comment in front of each line and blanks in place of tabs.
func renamed(c Solution) Solution {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, len(c.Source)), []byte(c.Source), nil, 0)
	var b strings.Builder
	for {
		_, kind, literal := s.Scan()
		switch _, given := words[literal]; {
		case kind == token.EOF:
			return Solution{c.ID, b.String()}
		case kind == token.SEMICOLON && literal == "\n":
			b.WriteString(" // step\n")
		case kind == token.IDENT && !given:
			b.WriteString(" the_" + literal)
		case kind == token.INT:
			b.WriteString(" 7")
		case literal != "" && (kind == token.IDENT || kind.IsLiteral()):
			b.WriteString(" " + literal)
		default:
			b.WriteString(" " + kind.String())
		}
	}
}

func change(cells []Solution, change func(Solution) Solution) []Solution {
	cells = slices.Clone(cells)
	for i := range cells {
		cells[i] = change(cells[i])
	}
	return cells
}

func find(t *testing.T, pairs []Pair, a, b string) *Pair {
	t.Helper()
	for i, p := range pairs {
		if p.A == a && p.B == b || p.A == b && p.B == a {
			return &pairs[i]
		}
	}
	return nil
}

// Three solutions that were written apart, and what students make of one: other names,
// another order, other comments, half of it. The copies are in pairs with the original
// and one another, the three that were written apart are in none.
func TestCopiesAndOthers(t *testing.T) {
	ada := cellsOf(t, "ada")
	reversed := slices.Clone(ada)
	slices.Reverse(reversed)
	all := []Submission{
		{"ada", ada},
		{"bob", cellsOf(t, "bob")},
		{"cy", cellsOf(t, "cy")},
		{"same", ada},
		{"renamed", change(ada, renamed)},
		{"reordered", change(reversed, renamed)},
		{"one cell", []Solution{{"all", ada[2].Source + ada[0].Source + "%%\n" + ada[1].Source}}},
		{"padded", slices.Concat(cellsOf(t, "release"), ada, []Solution{{"own", strings.Repeat("func f() { for { select {} } }\n", 30)}})},
		{"half", ada[1:2]},
		{"empty", nil},
		{"words", []Solution{{"text", "I could not solve this, sorry."}}},
	}
	pairs := must.Get(Pairs(t.Context(), cellsOf(t, "release"), all)).Or(t)
	copies := []string{"ada", "same", "renamed", "reordered", "one cell", "padded", "half"}
	for i, a := range copies {
		for _, b := range copies[:i] {
			if p := find(t, pairs, a, b); p == nil || p.Share < 0.8 {
				t.Errorf("%s and %s: %+v, want a share of 0.8 or more", a, b, p)
			}
		}
	}
	if want := len(copies) * (len(copies) - 1) / 2; len(pairs) != want {
		for _, p := range pairs {
			t.Logf("%s and %s: %.2f", p.A, p.B, p.Share)
		}
		t.Errorf("%d pairs, want those of the copies, %d", len(pairs), want)
	}
	// The parts of the renamed copy are ada's three functions without what the release
	// has of them, their first lines.
	p := find(t, pairs, "ada", "renamed")
	if len(p.Parts) != 3 {
		t.Fatalf("parts %+v, want three", p.Parts)
	}
	given := map[uint64]bool{}
	for _, h := range hashes(tokens(cellsOf(t, "release"))) {
		given[h.sum] = true
	}
	for i, part := range p.Parts {
		own := textOf(ada[i:i+1], given, nil)
		n := 0
		for _, released := range own.given {
			if !released {
				n++
			}
		}
		first := own.tokens[slices.Index(own.given, false)].line
		want := Lines{ada[i].ID, int(first), strings.Count(ada[i].Source, "\n")}
		if part.A != want || part.B.Cell != ada[i].ID || part.Tokens != n {
			t.Errorf("part %+v, want %v and %d tokens", part, want, n)
		}
	}
}

// A token is in one part only, however often the same lines come.
func TestPartsDoNotOverlap(t *testing.T) {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "if x%d > 1 { y = append(y, f(x)) }\n", i)
		if i%7 == 0 {
			b.WriteString("for i := range z { w[i] *= z[i] - 2 }\n")
		}
	}
	cells := []Solution{{"c", b.String()}}
	once := slices.Concat(cells, cellsOf(t, "bob"))
	twice := slices.Concat(once, once)
	for _, c := range []struct{ a, b []Solution }{{once, once}, {once, twice}, {twice, once}} {
		pairs, err := Pairs(t.Context(), nil, []Submission{{"a", c.a}, {"b", c.b}})
		if err != nil || len(pairs) != 1 {
			t.Fatalf("%v, %v", pairs, err)
		}
		sum := 0
		for _, part := range pairs[0].Parts {
			sum += part.Tokens
		}
		if n := len(tokens(once)); sum > n || sum < n/2 {
			t.Errorf("the parts have %d tokens together, of %d", sum, n)
		}
	}
}

// What the release has counts for nothing, and is in no part: students who only have
// that are in no pair, however long it is.
func TestReleaseDoesNotCount(t *testing.T) {
	release := cellsOf(t, "release")
	for range 5 {
		release = append(release, cellsOf(t, "bob")...)
	}
	all := []Submission{{"a", release}, {"b", release}, {"c", change(release, renamed)}}
	if pairs, err := Pairs(t.Context(), release, all); err != nil || len(pairs) > 0 {
		t.Errorf("%+v, %v; want no pair", pairs, err)
	}
	own := cellsOf(t, "ada")
	all = []Submission{{"a", slices.Concat(release, own)}, {"b", slices.Concat(own, release)}}
	pairs, err := Pairs(t.Context(), release, all)
	if err != nil || len(pairs) != 1 {
		t.Fatalf("%+v, %v", pairs, err)
	}
	for _, part := range pairs[0].Parts {
		if !slices.ContainsFunc(own, func(c Solution) bool { return c.ID == part.A.Cell }) {
			t.Errorf("%+v is the release's", part)
		}
	}
}

// What more than half of a large course has is everybody's; a ring within it is found.
func TestEverydayCode(t *testing.T) {
	bob, cy := cellsOf(t, "bob"), cellsOf(t, "cy")
	var all []Submission
	for i := range 30 {
		cells := bob
		if i < 10 {
			cells = slices.Concat(bob, cy)
		}
		all = append(all, Submission{fmt.Sprint(i), cells})
	}
	pairs, err := Pairs(t.Context(), nil, all)
	if err != nil || len(pairs) != 45 {
		t.Errorf("%d pairs, %v; want those of the ten who have cy's, 45", len(pairs), err)
	}
}

// guarantee: two texts that share Certain tokens share a picked hash; with fewer than
// Gram equal ones in a row they share none (the paper's two properties of section 3).
func TestWinnowing(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		draw := func(name string, n int, from uint64) []tok {
			list := make([]tok, n)
			for i := range list {
				list[i].code = from + rapid.Uint64Range(0, 3).Draw(t, name)
			}
			return list
		}
		common := draw("common", Certain, 0)
		size := rapid.IntRange(0, 60)
		a := slices.Concat(draw("before a", size.Draw(t, "n"), 10), common, draw("behind a", size.Draw(t, "n"), 10))
		b := slices.Concat(draw("before b", size.Draw(t, "n"), 20), common, draw("behind b", size.Draw(t, "n"), 20))
		sums := map[uint64]bool{}
		for _, h := range pick(hashes(a)) {
			sums[h.sum] = true
		}
		if !slices.ContainsFunc(pick(hashes(b)), func(h hash) bool { return sums[h.sum] }) {
			t.Errorf("%d common tokens and no common hash", Certain)
		}
		short := slices.Concat(draw("c", size.Draw(t, "n"), 30), common[:Gram-1], draw("c", size.Draw(t, "n"), 30))
		if slices.ContainsFunc(hashes(short), func(h hash) bool { return sums[h.sum] }) {
			t.Errorf("%d common tokens and a common hash", Gram-1)
		}
	})
}

// The density of winnowing on text without repeats is 2/(w+1) (theorem 1).
func TestDensity(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	list := make([]hash, 100_000)
	for i := range list {
		list[i] = hash{r.Uint64(), i}
	}
	// The standard deviation of the share is below 0.001 here.
	if got, want := float64(len(pick(list)))/float64(len(list)), 2.0/(window+1); got < want-0.005 || got > want+0.005 {
		t.Errorf("%.4f of the hashes are picked, want %.4f", got, want)
	}
}

// Lines for the kernel, broken code and other languages are no obstacle, and lines are
// the cell's own.
func TestTokens(t *testing.T) {
	for source, want := range map[string]string{
		"%%\nx := 1\n!ls\n":       "n2 :=2 l2",
		"x = len(y) // why\n":     "n1 =1 g1 (1 n1 )1",
		"a\"unclosed\nb":          "n1 l1 n2",
		"/* a\nb */ true, 'c'":    "g2 ,2 l2",
		"":                        "",
		"x@y":                     "n1 ILLEGAL1 n1",
		"if a {\n}\n\n\n\nreturn": "if1 n1 {1 }2 return6",
	} {
		var got []string
		for _, tk := range tokens([]Solution{{"c", source}}) {
			s := token.Token(tk.code).String()
			switch tk.code >> 32 {
			case 1:
				s = "n"
			case 2:
				s = "l"
			case 3:
				s = "g"
			}
			got = append(got, fmt.Sprint(s, tk.line))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %s, want %s", source, strings.Join(got, " "), want)
		}
	}
	nb := &nbformat.Notebook{Cells: []*nbformat.Cell{{ID: "a", Type: "markdown", Source: "x"}, {ID: "b", Type: "code", Source: "y"}}}
	if got, want := Code(nb), []Solution{{"b", "y"}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// manySubmissions are 300 lines of random Go each (10,000 tokens), a tenth of them
// copies of another.
func manySubmissions(n int) (all []Submission) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range n {
		if i%10 == 9 {
			all = append(all, Submission{fmt.Sprint(i), change(all[i-1-r.IntN(8)].Cells, renamed)})
			continue
		}
		var cells []Solution
		for c := range 10 {
			var b strings.Builder
			for range 30 {
				// Six of ten operators: a million lines.
				b.WriteString("x = y[1]")
				for range 6 {
					b.WriteString([]string{"+", "-", "*", "/", "%", "&", "|", "^", "<<", "&^"}[r.IntN(10)] + "f(z)")
				}
				b.WriteString("\n")
			}
			cells = append(cells, Solution{fmt.Sprint("c", c), b.String()})
		}
		all = append(all, Submission{fmt.Sprint(i), cells})
	}
	return all
}

// Every copy in a course of 300 is found, and nothing else; the order of the arguments
// changes no share.
func TestManySubmissions(t *testing.T) {
	all := manySubmissions(300)
	pairs := must.Get(Pairs(t.Context(), nil, all)).Or(t)
	if len(pairs) < 30 || slices.ContainsFunc(pairs[:30], func(p Pair) bool { return p.Share < 0.95 || !strings.HasSuffix(p.B, "9") }) {
		t.Errorf("the 30 copies are not the first of %d pairs", len(pairs))
	}
	if len(pairs) > 30 {
		t.Errorf("%d pairs, want 30; the next is %s and %s, %.2f", len(pairs), pairs[30].A, pairs[30].B, pairs[30].Share)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	cancel(stop)
	if _, err := Pairs(ctx, nil, all); !errors.Is(err, stop) {
		t.Errorf("interrupted: %v", err)
	}
}

// A submission made to cost much: one line again and again, and a million tokens.
func TestHostile(t *testing.T) {
	line := strings.Repeat("f(x, 1);", 200_000)
	all := []Submission{{"a", []Solution{{"c", line}}}, {"b", []Solution{{"c", line}}}, {"c", []Solution{{"c", strings.Repeat("(", 1_000_000)}}}, {"d", []Solution{{"c", strings.Repeat("/*", 500_000)}}}}
	if n := len(tokens(all[0].Cells)); n != maxTokens {
		t.Errorf("%d tokens are read, want %d", n, maxTokens)
	}
	if _, err := Pairs(t.Context(), nil, all); err != nil {
		t.Error(err)
	}
}

func BenchmarkPairs(b *testing.B) {
	for _, n := range []int{300, 3000} {
		all := manySubmissions(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				must.Get(Pairs(b.Context(), nil, all)).Or(b)
			}
		})
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("%%\nx := 1", "func f() {}")
	f.Fuzz(func(t *testing.T, a, b string) {
		pairs, err := Pairs(t.Context(), []Solution{{"r", b}}, []Submission{{"a", []Solution{{"x", a}, {"y", b}}}, {"b", []Solution{{"x", b + a}}}})
		must.Do(t, err)
		for _, p := range pairs {
			if p.Share < alike || p.Share > 1 || p.A == p.B {
				t.Errorf("%+v", p)
			}
			for _, part := range p.Parts {
				if part.A.From < 1 || part.A.To < part.A.From || part.B.To < part.B.From || part.Tokens < Gram {
					t.Errorf("%+v", part)
				}
			}
		}
	})
}
