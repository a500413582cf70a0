package mlkittest

import (
	"errors"
	"fmt"

	"marginalia/mlkit/internal/whole"
)

// TestDecoding tests that m, a model or a pointer to one, encodes itself with
// encoding/gob and encoding/json, and that what is decoded is a whole model. It is for
// what no Fit returns, such as a feature map; the tests of a fit have it among their rules.
//
// The encoding of m is spoilt in one place after the other: fields are left out, renamed,
// added and exchanged, arrays cut and made longer, numbers replaced by negative, huge and
// broken ones, values by those of another type. With JSON a field that is missing, is
// unknown or has another type has to be refused. What else is done has to be refused, with
// an error of the form "pkg: what: rule" and without a change of the model that was
// decoded into, or else make a model that is whole: for some length of samples none of its
// methods panics.
func TestDecoding(m any) error {
	var broken []error
	for _, r := range []struct {
		name string
		test func() error
	}{
		{"gob", func() error { return sameAfter(viaGob, m) }},
		{"json", func() error { return sameAfter(viaJSON, m) }},
		{"corrupt", func() error { return corrupt(kind{}, samples{}, m) }},
	} {
		if err := withoutPanic(r.test); err != nil {
			broken = append(broken, fmt.Errorf("%s: %w", r.name, err))
		}
	}
	return errors.Join(broken...)
}

// corrupt is the rule that a decoded model is whole.
func corrupt(_ kind, _ samples, m any) error {
	if err := whole.Check(pointerTo(m)); err != nil {
		return fmt.Errorf("before anything is spoilt: %w", err)
	}
	return errors.Join(corruptJSON(m), corruptGob(m))
}

// A spoiling is one change of an encoded model.
type spoiling struct {
	what   string
	refuse bool // whether it can't go unnoticed
}

// judge returns what is wrong with the decoding of a spoilt model into one that was as
// before is, which ended with err and left after.
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
