package derive

import (
	"errors"
	"fmt"

	"marginalia/mlkit/internal/check"
)

// The Valid functions of the lectures' derivations reject quantities whose sizes do not
// match, so no step has to check, and points at which a differentiated function has no
// derivative.

// leastRoom is the smallest difference step not dominated by rounding error.
const leastRoom = 1e-9

func (g Gaussians) valid() error {
	if g.inv[0] == nil {
		return errors.New("derive: the Gaussians are not from NewGaussians, want them made by it: it inverts the covariances")
	}
	return nil
}

func (q LeastSquares) valid() error {
	if err := check.Samples("derive", q.X); err != nil {
		return err
	}
	n, l := q.X.Dims()
	if n < l {
		return fmt.Errorf("derive: X is %d×%d, want at least as many rows as columns", n, l)
	}
	if err := length("Y", len(q.Y), n, "number for each row of X"); err != nil {
		return err
	}
	return length("W", len(q.W), l, "weight for each column of X")
}

func (q SoftMargin) valid() error {
	if err := check.Samples("derive", q.X); err != nil {
		return err
	}
	n, d := q.X.Dims()
	if err := check.Signs("derive", n, q.Y); err != nil {
		return err
	}
	const perRow, perColumn = "number for each row of X", "weight for each column of X"
	return errors.Join(
		length("A", len(q.A), d, perColumn), length("AHat", len(q.AHat), d, perColumn),
		length("Z", len(q.Z), n, perRow), length("ZHat", len(q.ZHat), n, perRow),
		length("Alpha", len(q.Alpha), n, perRow), length("AlphaHat", len(q.AlphaHat), n, perRow),
		length("Tau", len(q.Tau), n, perRow), length("TauHat", len(q.TauHat), n, perRow),
		length("Dual", len(q.Dual), n, perRow),
	)
}

func (q SoftMargin) validHinge() error {
	if err := q.valid(); err != nil {
		return err
	}
	if !(q.hingeStep() > leastRoom) {
		return errors.New("derive: a row of X is on the margin of A and B, y(x·a + b) = 1, where the hinge loss has no derivative; change A or B a little")
	}
	return nil
}

func (q PerceptronCost) valid() error {
	if err := check.Samples("derive", q.X); err != nil {
		return err
	}
	n, l := q.X.Dims()
	if err := check.Signs("derive", n, q.Y); err != nil {
		return err
	}
	if err := length("W", len(q.W), l, "weight for each column of X"); err != nil {
		return err
	}
	if !(q.step() > leastRoom) {
		return errors.New("derive: a row of X is on the hyperplane of W, where J has no derivative; change W a little")
	}
	return nil
}

func (r PerceptronRun) valid() error {
	if len(r.Mistakes) == 0 {
		return errors.New("derive: the run has no mistakes, want at least one")
	}
	for k, m := range r.Mistakes {
		if d := len(r.AHat); len(m.X) != d || len(m.Before) != d || len(m.After) != d {
			return fmt.Errorf("derive: mistake %d has X, Before, After of lengths %d, %d, %d, want %d, the length of AHat", k, len(m.X), len(m.Before), len(m.After), d)
		}
	}
	return nil
}

func (q LogPosterior) valid() error {
	if err := check.Samples("derive", q.X); err != nil {
		return err
	}
	n, d := q.X.Dims()
	if err := check.Signs("derive", n, q.Y); err != nil {
		return err
	}
	if !(q.S > 0) {
		return fmt.Errorf("derive: S = %v, want a positive standard deviation", q.S)
	}
	if err := length("W", len(q.W), d, "weight for each column of X"); err != nil {
		return err
	}
	return length("W1", len(q.W1), d, "weight for each column of X")
}

// length checks the length of a field.
func length(name string, got, want int, one string) error {
	if got != want {
		return fmt.Errorf("derive: len(%s) = %d, want %d, one %s", name, got, want, one)
	}
	return nil
}
