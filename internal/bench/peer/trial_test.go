//go:build unix

package peer_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
)

// trial is one problem that both libraries solve.
type trial struct {
	*testing.T
	*rand.Rand
	model model
	peer  *process
	table *table
}

// ask solves a problem with scikit-learn. The model defaults to that of the trial.
func (t *trial) ask(problem map[string]any, answer any) {
	t.Helper()
	if problem["model"] == nil {
		problem["model"] = t.model.name
	}
	if err := t.peer.solve(problem, answer); err != nil {
		t.Fatal(err)
	}
}

// near compares got, from mlkit, with want, from scikit-learn: the largest difference
// in units of scale must be within the tolerance for the quantity. Scale 0 means the
// largest |want|.
func (t *trial) near(quantity string, got, want []float64, scale float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d numbers, scikit-learn has %d", quantity, len(got), len(want))
		return
	}
	if scale == 0 {
		scale = math.SmallestNonzeroFloat64
		for _, w := range want {
			scale = max(scale, math.Abs(w))
		}
	}
	worst, at := 0.0, 0
	for i, w := range want {
		if d := math.Abs(got[i]-w) / scale; d > worst || math.IsNaN(d) {
			worst, at = d, i
		}
	}
	r := t.rule(quantity)
	agree := worst <= r.tolerance
	if !agree {
		t.Errorf("%s[%d] = %.17g, scikit-learn has %.17g: apart by %.3g of %.3g, tolerance %.3g",
			quantity, at, got[at], want[at], worst, scale, r.tolerance)
	}
	t.table.add(t.model, r, worst, agree)
}

// one is near for a single number.
func (t *trial) one(quantity string, got, want, scale float64) {
	t.Helper()
	t.near(quantity, []float64{got}, []float64{want}, scale)
}

// notAbove compares a value that both libraries minimise: mlkit's may be lower than
// scikit-learn's, but not higher by more than the tolerance in units of scale.
func (t *trial) notAbove(quantity string, got, want, scale float64) {
	t.Helper()
	t.one(quantity, max(got, want), want, scale)
}

// same compares labels. If undecided(i) reports that sample i is on the decision
// boundary up to rounding, either label is right.
func (t *trial) same(quantity string, got, want []int, undecided func(i int) bool) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d labels, scikit-learn has %d", quantity, len(got), len(want))
		return
	}
	wrong := 0
	for i := range want {
		if got[i] != want[i] && (undecided == nil || !undecided(i)) {
			wrong++
			t.Errorf("%s[%d] = %d, scikit-learn has %d", quantity, i, got[i], want[i])
		}
	}
	t.table.add(t.model, t.rule(quantity), float64(wrong), wrong == 0)
}

func (t *trial) rule(quantity string) rule {
	i := slices.IndexFunc(t.model.rules, func(r rule) bool { return r.quantity == quantity })
	if i < 0 {
		t.Fatalf("model %s has no rule for %s", t.model.name, quantity)
	}
	return t.model.rules[i]
}

// explain adds a line to the table that explains why a comparison was not made.
func (t *trial) explain(format string, args ...any) {
	t.table.explained = append(t.table.explained, t.Name()+": "+fmt.Sprintf(format, args...))
}

// table has one line per quantity.
type table struct {
	lines     map[[2]string]*line
	explained []string
}

type line struct {
	model, quantity string
	rule            rule
	compared, apart int
	worst           float64
}

func newTable() *table { return &table{lines: map[[2]string]*line{}} }

func (b *table) add(m model, r rule, worst float64, agree bool) {
	key := [2]string{m.name, r.quantity}
	if b.lines[key] == nil {
		b.lines[key] = &line{model: m.name, quantity: r.quantity, rule: r}
	}
	l := b.lines[key]
	l.compared++
	if worst > l.worst || math.IsNaN(worst) {
		l.worst = worst
	}
	if !agree {
		l.apart++
	}
}

func (b *table) String() string {
	var s strings.Builder
	w := tabwriter.NewWriter(&s, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "model\tquantity\tcompared\tworst\ttolerance\tdisagree\twhy this tolerance")
	lines := make([]*line, 0, len(b.lines))
	for _, l := range b.lines {
		lines = append(lines, l)
	}
	slices.SortFunc(lines, func(a, b *line) int {
		return cmp.Or(cmp.Compare(a.model, b.model), cmp.Compare(a.quantity, b.quantity))
	})
	disagree := 0
	for _, l := range lines {
		fmt.Fprintf(w, "%s\t%s\t%d\t%.1e\t%.0e\t%d\t%s\n", l.model, l.quantity, l.compared, l.worst, l.rule.tolerance, l.apart, l.rule.why)
		disagree += l.apart
	}
	w.Flush()
	fmt.Fprintf(&s, "disagreements: %d; explained: %d\n", disagree, len(b.explained))
	for _, e := range b.explained {
		fmt.Fprintln(&s, " ", e)
	}
	return s.String()
}
