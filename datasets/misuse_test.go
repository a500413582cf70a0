package datasets

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// Functions that return an error don't panic on any arguments: nil, and sizes that would
// fill the memory, are errors.
func TestNastyArguments(t *testing.T) {
	var none *Dataset
	second := func(_ any, err error) error { return err }
	third := func(_, _ any, err error) error { return err }
	w := []float64{1, 0}
	huge := 1 << 60
	for _, c := range []struct {
		err  error
		want string
	}{
		{second(CSV{}.Read(nil, "t")), "t: the reader is nil"},
		{second(LIBSVM{}.Read(nil, "t")), "t: the reader is nil"},
		{second(ReadLIBSVM(nil, "t", 1)), "t: the reader is nil"},
		{second(ARFF{}.Read(nil, "t")), "t: the reader is nil"},
		{second(NumPy{}.Read(nil, "t")), "t: the reader is nil"},
		{second(ReadIDX(nil, "t")), "t: the reader is nil"},
		{second(CSV{}.Open("")), "open : no such file"},
		{second(OpenLIBSVM("", huge)), "open : no such file"},
		{second(OpenIDX("")), "open : no such file"},
		{second(CSV{Comma: '\n'}.Read(strings.NewReader("1,2"), "t")), `t: Comma = '\n', want a separator`},
		{second(CSV{Comma: -1}.Read(strings.NewReader("1,2"), "t")), "t: Comma = '\ufffd', want a separator"},
		{second(CSV{Comment: ','}.Read(strings.NewReader("1,2"), "t")), "t: Comment = ',', want another rune than Comma"},
		{second(CSV{Label: "-1"}.Read(strings.NewReader("1,2"), "t")), `t: Label = "-1" is not a column number`},
		{second(ReadLIBSVM(strings.NewReader("1 1:1"), "t", huge)), "t: 1 samples of 1152921504606846976 features are too many"},
		{second(ReadLIBSVM(strings.NewReader("1 1:1"), "t", math.MinInt)), "t: features = -9223372036854775808"},
		{second(Separable(0, huge, w, 0, 1)), "Separable: n = 1152921504606846976 points in 2 dimensions"},
		{second(Separable(0, -1, w, 0, 1)), "Separable: n = -1"},
		{second(Separable(0, 2, nil, 0, 1)), "Separable: w = []"},
		{second(Separable(0, 2, w, math.NaN(), 1)), "Separable: b = NaN"},
		{second(Separable(0, 2, w, 0, 1e308)), "Separable: margin = 1e+308, b = 0 and |w| = 1 put the points at a distance of 1e+308, want at most 1e+150"},
		{second(Separable(0, 2, []float64{1e-200}, 1e200, 1)), "Separable: margin = 1, b = 1e+200 and |w| = 1e-200 put the points at a distance of +Inf"},
		{second(Moons(0, huge, 0)), "Moons: n = 1152921504606846976"},
		{second(Moons(0, 2, 1e308)), "Moons: noise = 1e+308, want a number from 0 to 1e+150"},
		{second(Rings(0, math.MinInt, 0)), "Rings: n = -9223372036854775808"},
		{second(Rings(0, 2, math.NaN())), "Rings: noise = NaN"},
		{third(MNISTOnly()), "MNISTOnly: no digits"},
		{third(MNISTOnly(huge)), "MNISTOnly: digit 1152921504606846976"},
		{second(none.Subset([]int{0})), "Subset: the Dataset is nil"},
		{second(none.Head(1)), "Head: the Dataset is nil"},
		{second(none.Columns(0)), "Columns: the Dataset is nil"},
		{second(none.Select(0)), "Select: the Dataset is nil"},
		{second(none.Binary(0, 0)), "Binary: the Dataset is nil"},
		{third(none.Split(0, 1)), "Split: the Dataset is nil"},
		{second(three().Head(huge)), "Head of three: n = 1152921504606846976"},
		{second(three().Subset([]int{huge})), "Subset of three: rows[0] = 1152921504606846976"},
		{second(three().Columns(huge)), "Columns of three: column 1152921504606846976"},
		{third(three().Split(0, huge)), "Split of three: n = 1152921504606846976"},
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
	if d := new(Dataset); d.Len() != 0 || d.Count(1) != 0 || d.Class(1) != "1" {
		t.Error("the zero Dataset has samples")
	}
	if v := (&IDX{Type: IDXInt32, Data: []byte{0, 0, 0, 7, 1}}).Float64s(); len(v) != 1 || v[0] != 7 {
		t.Errorf("half an element: %v", v)
	}
}
