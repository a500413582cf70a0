package grade

import (
	"context"
	"fmt"
	"strings"

	"marginalia/internal/nbformat"
)

// Gate says why a notebook must not be released: something that the tests need can't cross to the
// students' program, its solution fails a test, or the stub that students get passes one.
func (b *Builder) Gate(ctx context.Context, source, stub *nbformat.Notebook, settings Settings) error {
	g, err := b.Grader(ctx, source, settings)
	if err != nil {
		return err
	}
	defer g.Close()
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
	return nil
}
