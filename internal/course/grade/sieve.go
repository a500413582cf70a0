package grade

import (
	"context"
	"errors"
	"maps"
	"os"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/sandbox/assignment"
)

// A submission is a notebook, and which of its cells are left out, with the reasons.
type submission struct {
	student string // "" for the lecturer
	nb      *nbformat.Notebook
	out     map[string]string
	trusted bool // it is the lecturer's: compiling it may take any time
}

// maxRefused is how many builds may fail while a submission is sieved. Each can take all of the time
// that the compiler has; cells that are left then are left out, tried or not.
const maxRefused = 8

// sieve finds the cells of a submission that can't be compiled within bounds, alone or with those
// before them, so that the others keep their marks: answers one by one, since it is mostly one that is at
// fault, and then the student's own cells in halves.
func (g *Grader) sieve(ctx context.Context, s submission) (submission, error) {
	answers, own := g.Assignment.Units(s.nb)
	s.out = map[string]string{}
	for _, id := range append(append([]string(nil), answers...), own...) {
		s.out[id] = "it was not looked at: too many others can't be compiled"
	}
	s.trusted = true
	// Without any cell it compiles, unless the fault is not the student's; and Go's cache is filled then.
	if err := g.try(ctx, s); err != nil {
		return s, err
	}
	s.trusted = false
	failed := 0
	var add func(ids []string) error
	add = func(ids []string) error {
		if len(ids) == 0 || failed >= maxRefused {
			return nil
		}
		with := s
		with.out = maps.Clone(s.out)
		for _, id := range ids {
			delete(with.out, id)
		}
		err := g.try(ctx, with)
		refused, ok := errors.AsType[*assignment.Refused](err)
		switch {
		case err == nil:
			s = with
			return nil
		case !ok:
			return err
		case len(ids) == 1:
			failed++
			s.out[ids[0]] = refused.Why
			return nil
		}
		failed++
		if err := add(ids[:len(ids)/2]); err != nil {
			return err
		}
		return add(ids[len(ids)/2:])
	}
	for _, id := range answers {
		if err := add([]string{id}); err != nil {
			return s, err
		}
	}
	return s, add(own)
}

// try builds a submission, and says why it can't be.
func (g *Grader) try(ctx context.Context, s submission) error {
	dir, err := os.MkdirTemp("", "marginalia-guest-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	_, err = g.compile(ctx, s, nil, dir)
	return err
}
