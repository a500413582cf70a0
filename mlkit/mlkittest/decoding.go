package mlkittest

import (
	"errors"
	"fmt"

	"marginalia/mlkit/internal/whole"
)

// TestDecoding tests that m, a model or a pointer to one, can be encoded with
// encoding/json and, if it has a method ModelKind, package modelfile, and that decoding always yields a complete model. Use it for what no Fit returns, such as a
// feature map; the tests of a fit include it as a rule.
//
// The encoding of m is corrupted in one place after another: fields are left out,
// renamed, added and exchanged, arrays are cut and extended, numbers are replaced by
// negative, huge, fractional and non-finite ones, and values by those of another type.
// From JSON, a field that is missing, unknown or of another type must be refused. Any
// other corruption must be refused, with an error of the form "pkg: what: rule" and
// without changing the destination, or it must yield a complete model: one for which some
// length of samples makes no method panic.
func TestDecoding(m any) error {
	var broken []error
	for _, r := range []struct {
		name string
		test func() error
	}{
		{"json", func() error { return sameAfterJSON(m) }},
		{"file", func() error { _, err := sameInFile(m); return err }},
		{"corrupt", func() error { return spoilt(m) }},
	} {
		if err := withoutPanic(r.test); err != nil {
			broken = append(broken, fmt.Errorf("%s: %w", r.name, err))
		}
	}
	return errors.Join(broken...)
}

// corrupt is the rule that a decoded model is complete. It corrupts the model of a few
// samples, if they are enough to learn one: it has all fields and is decoded, hundreds of
// times, in a third of the time.
func corrupt(k kind, s samples, m any) error {
	few, err := k.fit(s.pick([]int{0, 1, 2, 3, 4, 5, 6, 7, 8}))
	if err == nil {
		m = few
	}
	return spoilt(m)
}

// spoilt tests that a decoded model is complete.
func spoilt(m any) error {
	if err := whole.Check(pointerTo(m)); err != nil {
		return fmt.Errorf("before anything is spoilt: %w", err)
	}
	return corruptJSON(m)
}

// spoiling is one change to an encoded model.
type spoiling struct {
	what   string
	refuse bool // whether decoding must return an error
}

// judge returns what is wrong with decoding a corrupted model into one that equalled
// before. Decoding returned err and left after.
func (s spoiling) judge(before, after any, err error) error {
	switch {
	case err != nil:
		if form := named(err, ""); form != nil {
			return fmt.Errorf("%s: %w", s.what, form)
		}
		if err := sameBits(before, after); err != nil {
			return fmt.Errorf("%s is refused, and yet %w", s.what, err)
		}
	case s.refuse:
		return fmt.Errorf("%s is accepted", s.what)
	default:
		if err := whole.Check(after); err != nil {
			return fmt.Errorf("%s is accepted: %w", s.what, err)
		}
	}
	return nil
}
