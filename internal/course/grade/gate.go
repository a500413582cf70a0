package grade

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"strings"

	"marginalia/internal/course/release"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/sandbox/host"
)

// Gate says why a notebook must not be released: something that the tests need can't cross to the
// students' program, statements do not compile, its solution fails a test, be it once in 20 times, or the stub that students get passes one. If it may be,
// Gate stores in the stub's metadata what course check needs (see release.Terms); imports are those
// that course.toml allows.
func (b *Builder) Gate(ctx context.Context, source, stub *nbformat.Notebook, settings Settings, imports []string) error {
	g, err := b.Grader(ctx, source, settings)
	if err != nil {
		return err
	}
	defer g.Close()
	if unfit, err := g.Assignment.Unfit(ctx, source); err != nil {
		return err
	} else if unfit != nil {
		return unfit
	}
	if misnamed := g.misnamed(source); misnamed != nil {
		return misnamed
	}
	if settings.Note != nil {
		elsewhere, err := g.Assignment.OnKernel(ctx, settings.Dir)
		if err != nil {
			return err
		}
		for _, p := range append(g.Assignment.Doubts(), elsewhere...) {
			settings.Note(p.String())
		}
	}
	results, _, err := g.run(ctx, submission{nb: stub}, nil, nil)
	if err != nil {
		return err
	}
	var passes []string
	for _, t := range g.Assignment.Tests {
		for _, name := range t.Funcs {
			if r := results[name]; len(r.Checks) > 0 && r.Checks[0].Passed {
				passes = append(passes, fmt.Sprintf("cell %s: the stub passes %s: want a test that looks at what the answer returns", t.ID, name))
			}
		}
	}
	if passes != nil {
		return fmt.Errorf("%s", strings.Join(passes, "\n"))
	}
	if err := g.repeat(ctx, source, settings.Note); err != nil {
		return err
	}
	terms := g.terms(imports)
	if len(settings.Files) > 0 {
		terms.Files = map[string]string{}
	}
	for _, f := range settings.Files {
		terms.Files[f.Path] = fmt.Sprintf("%x", sha256.Sum256(f.Data))
	}
	return terms.Store(stub, g.Assignment.Stub)
}

// terms are what students may know of how a notebook is graded.
func (g *Grader) terms(imports []string) release.Terms {
	terms := release.Terms{Imports: slices.Compact(slices.Sorted(slices.Values(append(g.Assignment.Imports(), imports...)))), Memory: g.Memory}
	solved := map[string]host.Result{}
	for name, checks := range g.Key.Checks {
		solved[name] = host.Result{Checks: checks}
	}
	for _, t := range g.Assignment.Tests {
		secret := hiddenLines(t)
		shown, _ := parts(t, secret)
		checks := map[string][]release.Check{}
		for _, c := range g.test(t, solved).Checks {
			f, sub, _ := strings.Cut(c.Name, "/")
			sub = sub[strings.LastIndex(sub, "/")+1:]
			// A name that the program puts together may be of a hidden row.
			if !c.Hidden && (len(secret) == 0 || strings.Contains(shown, sub)) {
				checks[f] = append(checks[f], release.Check{Name: c.Name, Worth: c.Worth, Cost: c.Cost})
			}
		}
		for _, f := range t.Funcs {
			if checks[f] != nil {
				terms.Tests = append(terms.Tests, release.Test{Name: f, Seconds: math.Ceil(g.limit(f)), Checks: checks[f], Hides: hides(t, f, secret)})
			}
		}
	}
	return terms
}
