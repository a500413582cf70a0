package eval

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
)

// Confusion is a confusion matrix: Counts[i][j] samples of class Classes[i] were
// predicted as class Classes[j]. NewConfusion makes one. Its methods panic if Counts does
// not have a row and a column for each class.
type Confusion struct {
	Classes []int   // all labels that occur, ascending
	Counts  [][]int // row i: the samples of class Classes[i]
}

// NewConfusion counts the pairs of labels y[i] and predicted[i]. Labels are any ints, at
// most 16384 different ones.
func NewConfusion(y, predicted []int) (Confusion, error) {
	if len(y) == 0 {
		return Confusion{}, fmt.Errorf("eval: y is empty, want at least one label")
	}
	if len(predicted) != len(y) {
		return Confusion{}, fmt.Errorf("eval: len(predicted) = %d, want %d, one for each label of y", len(predicted), len(y))
	}
	c := Confusion{Classes: slices.Concat(y, predicted)}
	slices.Sort(c.Classes)
	c.Classes = slices.Clip(slices.Compact(c.Classes))
	if k := len(c.Classes); k > maxNumbers/k {
		return Confusion{}, fmt.Errorf("eval: y and predicted have %d different labels, want at most 16384; are they targets of regression?", k)
	}
	c.Counts = make([][]int, len(c.Classes))
	for i := range c.Counts {
		c.Counts[i] = make([]int, len(c.Classes))
	}
	for k := range y {
		i, _ := slices.BinarySearch(c.Classes, y[k])
		j, _ := slices.BinarySearch(c.Classes, predicted[k])
		c.Counts[i][j]++
	}
	return c, nil
}

// Rates are precision, recall and F1 of a class, or averages over classes. With TP the
// samples of the class predicted as it, FP the other samples predicted as it, and FN the
// samples of the class predicted as another,
//
//	Precision = TP/(TP+FP),  Recall = TP/(TP+FN),  F1 = 2·TP/(2·TP+FP+FN).
//
// 0/0 is 0, as in scikit-learn, for example for the precision of a class that is never
// predicted.
type Rates struct {
	Precision, Recall, F1 float64
	Support               int // samples of the class, TP+FN
}

func newRates(tp, fp, fn int) Rates {
	return Rates{
		Precision: ratio(tp, tp+fp),
		Recall:    ratio(tp, tp+fn),
		F1:        ratio(2*tp, 2*tp+fp+fn),
		Support:   tp + fn,
	}
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// mustBeSquare panics unless Counts has a row and a column for each class.
func (c Confusion) mustBeSquare() {
	k := len(c.Classes)
	if len(c.Counts) != k {
		panic(fmt.Sprintf("eval: a Confusion of %d classes has %d rows of counts, want as many", k, len(c.Counts)))
	}
	for i, row := range c.Counts {
		if len(row) != k {
			panic(fmt.Sprintf("eval: Counts[%d] of a Confusion of %d classes has %d elements, want as many", i, k, len(row)))
		}
	}
}

// Total returns the number of samples.
func (c Confusion) Total() int {
	c.mustBeSquare()
	n := 0
	for _, row := range c.Counts {
		for _, count := range row {
			n += count
		}
	}
	return n
}

// Accuracy returns the fraction of samples predicted correctly.
func (c Confusion) Accuracy() float64 {
	c.mustBeSquare()
	right := 0
	for i := range c.Classes {
		right += c.Counts[i][i]
	}
	return ratio(right, c.Total())
}

// Of returns the rates of a class; they are 0 for a label that does not occur. For two
// classes -1 and +1, precision and recall usually mean those of Of(+1).
func (c Confusion) Of(class int) Rates {
	c.mustBeSquare()
	i, ok := slices.BinarySearch(c.Classes, class)
	if !ok {
		return Rates{}
	}
	return newRates(c.cells(i))
}

// cells returns the true positives, false positives and false negatives of class i.
func (c Confusion) cells(i int) (tp, fp, fn int) {
	tp = c.Counts[i][i]
	for j := range c.Classes {
		if j != i {
			fp += c.Counts[j][i]
			fn += c.Counts[i][j]
		}
	}
	return tp, fp, fn
}

// Macro returns the unweighted means of the rates over the classes. Its Recall is the
// balanced accuracy.
func (c Confusion) Macro() Rates {
	var m Rates
	for _, class := range c.Classes {
		r := c.Of(class)
		m.Precision += r.Precision
		m.Recall += r.Recall
		m.F1 += r.F1
		m.Support += r.Support
	}
	if k := float64(len(c.Classes)); k > 0 {
		m.Precision, m.Recall, m.F1 = m.Precision/k, m.Recall/k, m.F1/k
	}
	return m
}

// Micro returns the rates of the sums of TP, FP and FN over the classes, so that each
// sample counts the same. As every sample has one class and one prediction, all three
// rates equal the accuracy.
func (c Confusion) Micro() Rates {
	c.mustBeSquare()
	var tp, fp, fn int
	for i := range c.Classes {
		a, b, d := c.cells(i)
		tp, fp, fn = tp+a, fp+b, fn+d
	}
	return newRates(tp, fp, fn)
}

// String returns the matrix as a table with one row per class and one column per
// prediction.
func (c Confusion) String() string {
	c.mustBeSquare()
	var s strings.Builder
	w := tabwriter.NewWriter(&s, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, class := range c.Classes {
		fmt.Fprintf(w, "\t%d", class)
	}
	fmt.Fprintln(w, "\t")
	for i, class := range c.Classes {
		fmt.Fprint(w, class)
		for _, count := range c.Counts[i] {
			fmt.Fprintf(w, "\t%d", count)
		}
		fmt.Fprintln(w, "\t")
	}
	w.Flush()
	return s.String()
}
