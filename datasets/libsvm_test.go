package datasets

import (
	"slices"
	"strings"
	"testing"

	"marginalia/internal/testkit/must"
)

func TestLIBSVM(t *testing.T) {
	const path = "testdata/three.libsvm"
	for _, p := range []string{path, gzipped(t, path)} {
		d := must.Get(OpenLIBSVM(p, 0)).Or(t)
		want(t, d, []float64{0.5, 0, -2, 0, 1e-3, 0, 0, 0, 0}, []int{1, -1, 1})
		if !slices.Equal(d.Labels, []int{-1, 1}) {
			t.Errorf("labels %v", d.Labels)
		}
		d = must.Get(OpenLIBSVM(p, 5)).Or(t)
		if _, cols := d.X.Dims(); cols != 5 {
			t.Errorf("%d columns, want 5", cols)
		}
	}
}

// A density of one number in 1000 is enough.
func TestLIBSVMSparse(t *testing.T) {
	d := must.Get(ReadLIBSVM(strings.NewReader(strings.Repeat("1 1:1\n", 4999)+"1 1000:1\n"), "t", 0)).Or(t)
	if n, cols := d.X.Dims(); n != 5000 || cols != 1000 {
		t.Errorf("%d×%d, want 5000×1000", n, cols)
	}
}

func TestLIBSVMErrors(t *testing.T) {
	tests := []struct {
		text     string
		features int
		want     string
	}{
		{"", 0, "t: no samples"},
		{"# only\n\n", 0, "t: no samples"},
		{"1\n-1\n", 0, "t: no sample has a nonzero feature"},
		{"1 1:2\nyes 1:2\n", 0, `t:2:1: label "yes" is not a finite number`},
		{"nan 1:2\n", 0, `t:1:1: the label is missing ("nan")`},
		{"1 1:2 3\n", 0, `t:1:7: "3", want index:value`},
		{"1 0:2\n", 0, `t:1:3: index 0, want at least 1; set ZeroBased`},
		{"1 1:2 qid:2\n", 0, `t:1:7: index "qid"`},
		{"1 qid:x 1:2\n", 0, `t:1:3: query "x", want an integer`},
		{"1 qid:1 1:2\n1 1:2\n", 0, `t:2: a sample with a query (qid) and one without, want all or none with it`},
		{"1 1:2\n1 qid:1 1:2\n", 0, "t:2:3: a sample with a query (qid) after one without"},
		{"1 2:2 2:3\n", 0, "t:1:7: index 2 after 2, want ascending indices"},
		{"1 1:x\n", 0, `t:1:3: value "x" of index 1 is not a finite number`},
		{"1 1:nan\n", 0, `the value of index 1 is missing ("nan")`},
		{"1 1:1 4:1\n", 3, "t:1:7: index 4, want at most 3"},
		{"1 1:1\n", -1, "features = -1"},
		{"1 1999999999:1\n1 1:1\n", 0, "t: 2 samples of 1999999999 features are too many for a dense matrix, which may have 4194304 numbers with 2 values in the file, unless Features is given"},
		{strings.Repeat("1 1:1\n", 3), 1 << 27, "t: 3 samples of 134217728 features are too many for a dense matrix, which may have 268435456 numbers"},
		// 5000 values allow five million numbers; 5000·1001 are too many.
		{strings.Repeat("1 1:1\n", 4999) + "1 1001:1\n", 0, "5000 samples of 1001 features are too many"},
	}
	for _, tt := range tests {
		d, err := ReadLIBSVM(strings.NewReader(tt.text), "t", tt.features)
		if err == nil || !strings.HasPrefix(err.Error(), "datasets: t:") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: got %v, error %v, want %s", tt.text, d, err, tt.want)
		}
	}
}

// scikit-learn's dump_svmlight_file counts from 0 by default, LIBSVM from 1. The same
// samples come out, with the width that Features or the training set says.
func TestLIBSVMBase(t *testing.T) {
	const from0 = "# Column indices are zero-based\n1 0:0.5 2:2 # first\n-1 1:3\n"
	const from1 = "1 1:0.5 3:2\n-1 2:3\n"
	x := []float64{0.5, 0, 2, 0, 3, 0}
	zero := LIBSVM{ZeroBased: true}
	train := Must(zero.Read(strings.NewReader(from0), "t"))
	want(t, train, x, []int{1, -1})
	want(t, Must(LIBSVM{}.Read(strings.NewReader(from1), "t")), x, []int{1, -1})
	wide := []float64{0.5, 0, 2, 0, 0, 3, 0, 0}
	want(t, Must(LIBSVM{ZeroBased: true, Features: 4}.Read(strings.NewReader(from0), "t")), wide, []int{1, -1})
	want(t, Must(LIBSVM{Features: 4}.Read(strings.NewReader(from1), "t")), wide, []int{1, -1})
	zero.Like = train
	want(t, Must(zero.Read(strings.NewReader("-1 0:7\n"), "test")), []float64{7, 0, 0}, []int{-1})
	for _, tt := range []struct {
		l          LIBSVM
		text, want string
	}{
		{LIBSVM{}, from0, `t:1: the comment says "Column indices are zero-based", and ZeroBased is false; set it to true`},
		{zero, "# Column indices are one-based\n1 1:1\n", `t:1: the comment says "Column indices are one-based", and ZeroBased is true; set it to false`},
		{LIBSVM{}, "1 0:0.5 2:2\n", "t:1:3: index 0, want at least 1; set ZeroBased if the file counts from 0, as scikit-learn's dump_svmlight_file does by default"},
		{LIBSVM{ZeroBased: true}, "1 -1:2\n", `t:1:3: index "-1", want an integer, at least 0`},
		{LIBSVM{ZeroBased: true, Features: 2}, from0, "t:2:9: index 2, want at most 1"},
		{zero, "1 3:1\n", "t:1:3: index 3, want at most 2; the number of features of t goes by Like"},
		{LIBSVM{}, "0,2 1:1\n", `t:1:1: label "0,2" is not a finite number, want one label or target`},
	} {
		if _, err := tt.l.Read(strings.NewReader(tt.text), "t"); err == nil || !strings.HasPrefix(err.Error(), "datasets: "+tt.want) {
			t.Errorf("%+v of %q: error %v, want %s", tt.l, tt.text, err, tt.want)
		}
	}
}

// The queries of a file for ranking stay beside the samples.
func TestLIBSVMQuery(t *testing.T) {
	d := Must(LIBSVM{Task: Regression}.Read(strings.NewReader("3 qid:1 1:1 2:1\n2 qid:1 2:1\n1 qid:7 1:0.5\n"), "t"))
	if !slices.Equal(d.Query, []int{1, 1, 7}) || !slices.Equal(d.Targets, []float64{3, 2, 1}) || d.X.At(2, 0) != 0.5 {
		t.Errorf("%+v", d)
	}
	if s := Must(d.Subset([]int{2, 0})); !slices.Equal(s.Query, []int{7, 1}) {
		t.Errorf("queries of a subset: %v", s.Query)
	}
	if s := Must(d.Head(1)); !slices.Equal(s.Query, []int{1}) {
		t.Errorf("queries of the head: %v", s.Query)
	}
}
