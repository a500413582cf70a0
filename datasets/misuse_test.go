package datasets

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"testing"
)

// only and both return the error of a call, if nothing is returned beside it.
func only[T any](v *T, err error) error {
	if v != nil && err != nil {
		return fmt.Errorf("%v beside the error %w", v, err)
	}
	return err
}

func both[T any](u, v *T, err error) error { return cmp.Or(only(u, err), only(v, err)) }

// Functions that return an error don't panic on any arguments: nil, and sizes that would
// fill the memory, are errors.
func TestNastyArguments(t *testing.T) {
	var none *Dataset
	d, short, names := three(), three(), three()
	short.Y = short.Y[:4]
	names.Features = []string{"one"}
	w, one, nan, inf := []float64{1, 0}, []float64{1}, math.NaN(), math.Inf(1)
	huge := 1 << 60
	for _, c := range []struct {
		err  error
		want string
	}{
		{only(CSV{}.Read(nil, "t")), "t: the reader is nil"},
		{only(LIBSVM{}.Read(nil, "t")), "t: the reader is nil"},
		{only(ReadLIBSVM(nil, "t", 1)), "t: the reader is nil"},
		{only(ARFF{}.Read(nil, "t")), "t: the reader is nil"},
		{only(NumPy{}.Read(nil, "t")), "t: the reader is nil"},
		{only(ReadIDX(nil, "t")), "t: the reader is nil"},
		{only(CSV{}.Open("")), "open : no such file"},
		{only(OpenLIBSVM("", huge)), "open : no such file"},
		{only(OpenIDX("")), "open : no such file"},
		{only(CSV{Comma: '\n'}.Read(strings.NewReader("1,2"), "t")), `t: Comma = '\n', want a separator`},
		{only(CSV{Comma: -1}.Read(strings.NewReader("1,2"), "t")), "t: Comma = '\ufffd', want a separator"},
		{only(CSV{Comment: ','}.Read(strings.NewReader("1,2"), "t")), "t: Comment = ',', want another rune than Comma"},
		{only(CSV{Label: "-1"}.Read(strings.NewReader("1,2"), "t")), `t: Label = "-1" is not a column number`},
		{only(ReadLIBSVM(strings.NewReader("1 1:1"), "t", huge)), "t: 1 samples of 1152921504606846976 features are too many"},
		{only(ReadLIBSVM(strings.NewReader("1 1:1"), "t", math.MinInt)), "t: features = -9223372036854775808"},
		{only(Separable(0, huge, w, 0, 1)), "Separable: n = 1152921504606846976 points in 2 dimensions"},
		{only(Separable(0, -1, w, 0, 1)), "Separable: n = -1"},
		{only(Separable(0, 2, nil, 0, 1)), "Separable: w = []"},
		{only(Separable(1, 1, one, 0, 1)), "Separable: n = 1"},
		{only(Separable(1, 9, []float64{0, 0}, 0, 1)), "Separable: w = [0 0]"},
		{only(Separable(1, 9, []float64{1, nan}, 0, 1)), "Separable: w = [1 NaN]"},
		{only(Separable(1, 9, []float64{inf, 1}, 0, 1)), "Separable: w = [+Inf 1]"},
		{only(Separable(0, 2, w, nan, 1)), "Separable: b = NaN"},
		{only(Separable(1, 9, one, 0, -1)), "Separable: margin = -1"},
		{only(Separable(1, 9, one, 0, nan)), "Separable: margin = NaN"},
		{only(Separable(1, 9, one, 0, inf)), "Separable: margin = +Inf"},
		{only(Separable(0, 2, w, 0, 1e308)), "Separable: margin = 1e+308, b = 0 and |w| = 1 put the points at a distance of 1e+308, want at most 1e+150"},
		{only(Separable(0, 2, []float64{1e-200}, 1e200, 1)), "Separable: margin = 1, b = 1e+200 and |w| = 1e-200 put the points at a distance of +Inf"},
		{only(Moons(0, huge, 0)), "Moons: n = 1152921504606846976"},
		{only(Moons(0, 2, 1e308)), "Moons: noise = 1e+308, want a number from 0 to 1e+150"},
		{only(Rings(0, math.MinInt, 0)), "Rings: n = -9223372036854775808"},
		{only(Rings(0, 2, math.NaN())), "Rings: noise = NaN"},
		{only(Moons(1, 1, 0)), "Moons: n = 1"},
		{only(Moons(1, 9, nan)), "Moons: noise = NaN"},
		{only(Rings(1, 9, -0.1)), "Rings: noise = -0.1"},
		{both(MNISTOnly()), "MNISTOnly: no digits"},
		{both(MNISTOnly(huge)), "MNISTOnly: digit 1152921504606846976"},
		{only(none.Subset([]int{0})), "Subset: the Dataset is nil"},
		{only(none.Head(1)), "Head: the Dataset is nil"},
		{only(none.Columns(0)), "Columns: the Dataset is nil"},
		{only(none.Select(0)), "Select: the Dataset is nil"},
		{only(none.Binary(0, 0)), "Binary: the Dataset is nil"},
		{both(none.Split(0, 1)), "Split: the Dataset is nil"},
		{only(d.Subset(nil)), "Subset of three: no rows"},
		{only(d.Subset([]int{1, 5})), "Subset of three: rows[1] = 5, want 0 to 4"},
		{only(d.Subset([]int{-1})), "Subset of three: rows[0] = -1"},
		{only(d.Head(0)), "Head of three: n = 0, want 1 to 5"},
		{only(d.Head(6)), "Head of three: n = 6"},
		{only(d.Columns()), "Columns of three: no columns"},
		{only(d.Columns(0, 2)), "Columns of three: column 2, want 0 to 1"},
		{only(d.Select()), "Subset of three: no rows asked for"},
		{only(d.Select(0, 1)), "Select from three: no sample has label 1; there are [0 3 7]"},
		{only(d.Binary(3, 3)), "Binary of three: both classes are 3"},
		{only(d.Binary(3, -1)), "Select from three: no sample has label -1"},
		{both(d.Split(0, 5)), "Split of three: n = 5, want 1 to 4"},
		{both(d.Split(0, 0)), "Split of three: n = 0"},
		{only(short.Head(1)), "Head of three: X has 5 rows and Y 4 labels"},
		{only(names.Head(1)), "Head of three: X has 2 columns and Features 1 names"},
		{only(new(Dataset).Head(1)), "Head of : X is empty"},
		{only(d.Head(huge)), "Head of three: n = 1152921504606846976"},
		{only(d.Subset([]int{huge})), "Subset of three: rows[0] = 1152921504606846976"},
		{only(d.Columns(huge)), "Columns of three: column 1152921504606846976"},
		{both(d.Split(0, huge)), "Split of three: n = 1152921504606846976"},
	} {
		if c.err == nil || !strings.HasPrefix(c.err.Error(), "datasets: "+c.want) {
			t.Errorf("err = %v, want %s", c.err, c.want)
		}
	}
}

// Functions that return no error panic as documented.
func TestDocumentedPanics(t *testing.T) {
	recovered := func(f func()) (v any) {
		defer func() { v = recover() }()
		f()
		return nil
	}
	if v := recovered(func() { (&IDX{Type: 7, Data: []byte{1}}).Float64s() }); fmt.Sprint(v) != "datasets: IDX of type 0x07, want IDXUint8 or another of the six" {
		t.Errorf("Float64s: %v", v)
	}
	if v := recovered(func() { Must(three().Head(0)) }); !strings.HasPrefix(fmt.Sprint(v), "datasets: Head of three") {
		t.Errorf("Must: %v", v)
	}
	if v := recovered(func() { new(Dataset).Describe() }); v != "datasets: Describe of : X is empty" {
		t.Errorf("Describe: %v", v)
	}
	if v := recovered(func() { (*Dataset)(nil).Describe() }); v != "datasets: Describe: the Dataset is nil" {
		t.Errorf("Describe: %v", v)
	}
	if d := new(Dataset); d.Len() != 0 || d.Count(1) != 0 || d.Class(1) != "1" {
		t.Error("the zero Dataset has samples")
	}
	if v := (&IDX{Type: IDXInt32, Data: []byte{0, 0, 0, 7, 1}}).Float64s(); len(v) != 1 || v[0] != 7 {
		t.Errorf("half an element: %v", v)
	}
}
