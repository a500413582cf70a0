package libsvm_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/calibration"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/modelfile/libsvm"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/svm"
)

// answers are what the programs said of samples: see testdata/README.
type answers struct {
	Samples        [][]float64
	Labels         []int
	Scores         [][]float64
	ProbableLabels []int `json:"probable_labels"`
	Probabilities  [][]float64
	Order          []int
}

func golden(t *testing.T, name string) (file []byte, a answers) {
	t.Helper()
	data := testkit.Try(os.ReadFile(filepath.Join("testdata", name+".json"))).Or(t)
	if err := json.Unmarshal(data, &a); err != nil || len(a.Samples) < 10 {
		t.Fatalf("%s: %v, %d samples", name, err, len(a.Samples))
	}
	return testkit.Try(os.ReadFile(filepath.Join("testdata", name+".model"))).Or(t), a
}

func dense(rows [][]float64) *mat.Dense {
	X := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		X.SetRow(i, row)
	}
	return X
}

// Labels, scores and probabilities are those of the programs. Scores differ by rounding, and
// probabilities of three classes by what LIBSVM leaves to its iterations: they stop where the
// conditions hold to 0.005/3, and here that is within 0.002.
func TestGolden(t *testing.T) {
	for _, name := range []string{"rbf", "polynomial", "linear", "sigmoid"} {
		t.Run(name, func(t *testing.T) {
			file, a := golden(t, name)
			m := testkit.Try(libsvm.Format{}.ReadSVM(bytes.NewReader(file), name)).Or(t)
			X := dense(a.Samples)
			if got := m.Predictions(nil, X); !slices.Equal(got, a.Labels) {
				t.Errorf("labels %v, want %v", got, a.Labels)
			}
			for i, x := range a.Samples {
				if got := m.Predict(x); got != a.Labels[i] {
					t.Errorf("label of sample %d is %d, want %d", i, got, a.Labels[i])
				}
				for k, machine := range m.Machines {
					if got, want := machine.Score(x), a.Scores[i][k]; math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
						t.Errorf("score %d of sample %d is %v, want %v", k, i, got, want)
					}
				}
			}
			o, ties := m.OneVsOne(), 0
			for i, x := range a.Samples {
				votes := o.Votes(nil, x)
				most := slices.Max(votes)
				if slices.Index(votes, most) != len(votes)-1-slices.Index(reversed(votes), most) {
					ties++
				} else if got := o.Predict(x); got != a.Labels[i] {
					t.Errorf("label of sample %d by OneVsOne is %d, want %d", i, got, a.Labels[i])
				}
			}
			if want := map[string]int{"polynomial": 1}[name]; ties != want {
				t.Errorf("%d ties, want %d", ties, want)
			}
			p, err := m.ProbableOneVsOne()
			if a.Probabilities == nil {
				if err == nil {
					t.Error("probabilities without sigmoids")
				}
			} else if err != nil {
				t.Error(err)
			} else {
				comparePosteriors(t, p.Classes, p.Posteriors(nil, X), a, map[bool]float64{true: 1e-9, false: 0.002}[len(p.Classes) == 2])
				if got := p.Predictions(nil, X); !slices.Equal(got, a.ProbableLabels) {
					t.Errorf("probable labels %v, want %v", got, a.ProbableLabels)
				}
			}
			rewritten(t, file, m.Write)
		})
	}
	for _, name := range []string{"logistic", "margin", "crammer-singer"} {
		t.Run(name, func(t *testing.T) {
			file, a := golden(t, name)
			m := testkit.Try(libsvm.Format{}.ReadLinear(bytes.NewReader(file), name)).Or(t)
			X := dense(a.Samples)
			if got := m.Predictions(nil, X); !slices.Equal(got, a.Labels) {
				t.Errorf("labels %v, want %v", got, a.Labels)
			}
			for i, x := range a.Samples {
				for k, g := range m.Discriminants(nil, x)[:len(a.Scores[i])] {
					if len(m.Classes) == 2 && k == 1 {
						continue // of Crammer and Singer's second function LIBLINEAR makes nothing
					}
					if want := a.Scores[i][k]; math.Abs(g-want) > 1e-12*(1+math.Abs(want)) {
						t.Errorf("score %d of sample %d is %v, want %v", k, i, g, want)
					}
				}
			}
			p, err := m.ProbableOneVsRest()
			if (err == nil) != (a.Probabilities != nil) {
				t.Errorf("probabilities: %v", err)
			}
			if err == nil {
				comparePosteriors(t, p.Classes, p.Posteriors(nil, X), a, 1e-12)
				if got := p.Predictions(nil, X); !slices.Equal(got, a.ProbableLabels) {
					t.Errorf("probable labels %v, want %v", got, a.ProbableLabels)
				}
			}
			if name != "margin" && name != "crammer-singer" { // their bias is 2, and their weights differ in the last bit
				rewritten(t, file, m.Write)
			}
			again := testkit.Try(libsvm.Format{}.ReadLinear(written(t, m.Write), name)).Or(t)
			if got := again.Predictions(nil, X); !slices.Equal(got, a.Labels) {
				t.Errorf("labels of the file written %v, want %v", got, a.Labels)
			}
		})
	}
}

func reversed(v []int) []int {
	v = slices.Clone(v)
	slices.Reverse(v)
	return v
}

func comparePosteriors(t *testing.T, classes []int, P *mat.Dense, a answers, tol float64) {
	t.Helper()
	for i := range a.Samples {
		for k, class := range classes {
			if got, want := P.At(i, k), a.Probabilities[i][slices.Index(a.Order, class)]; math.Abs(got-want) > tol {
				t.Errorf("probability of %d for sample %d is %v, want %v", class, i, got, want)
			}
		}
	}
}

func written(t *testing.T, write func(io.Writer) error) *bytes.Buffer {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return &b
}

// rewritten checks that write writes file again, up to the digits of numbers, the kind of C-SVC
// and the order of support vectors in a class.
func rewritten(t *testing.T, file []byte, write func(io.Writer) error) {
	t.Helper()
	got, want := normal(t, written(t, write).String()), normal(t, strings.Replace(string(file), "nu_svc", "c_svc", 1))
	if !slices.Equal(got, want) {
		t.Errorf("written:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// normal returns the lines of a model with their numbers as Go writes them, the last ones sorted.
func normal(t *testing.T, file string) []string {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(file), "\n")
	for i, line := range lines {
		fields := strings.Fields(line)
		for j, field := range fields {
			index, value, ok := strings.Cut(field, ":")
			if !ok {
				index, value = "", field
			} else {
				index += ":"
			}
			var v float64
			if json.Unmarshal([]byte(value), &v) == nil {
				v += 0 // -0 is 0
				fields[j] = index + string(testkit.Try(json.Marshal(v)).Or(t))
			}
		}
		lines[i] = strings.Join(fields, " ")
	}
	if at := slices.Index(lines, "SV"); at >= 0 {
		slices.Sort(lines[at+1:])
	}
	return lines
}

func TestScaling(t *testing.T) {
	file := testkit.Try(os.ReadFile("testdata/scale.range")).Or(t)
	s := testkit.Try(libsvm.Format{}.ReadScaling(bytes.NewReader(file), "scale.range")).Or(t)
	// svm-scale -r scale.range of 1:1.5 2:9 3:0.2 and of 2:5 prints 1:-0.1 and 1:-0.4 3:-1; it leaves
	// zeros out.
	for _, c := range []struct{ x, want []float64 }{
		{[]float64{1.5, 9, 0.2}, []float64{-0.1, 0, 0}},
		{[]float64{0, 5, 0}, []float64{-0.4, 0, -1}},
	} {
		if got := s.TransformSample(nil, c.x); !floats.EqualApprox(got, c.want, 1e-15) {
			t.Errorf("%v becomes %v, want %v", c.x, got, c.want)
		}
	}
	rewritten(t, file, s.Write)
	if got := testkit.Try((libsvm.Format{D: 7}).ReadScaling(bytes.NewReader(file), "scale.range")).Or(t).Inputs(); got != 7 {
		t.Errorf("%d features, want 7", got)
	}
}

// A vote of three machines for three classes is a tie, and samples on the hyperplane have the
// score 0: LIBSVM takes the first label of the file, and the second class of a machine.
func TestTies(t *testing.T) {
	machine := func(b float64) *svm.Model {
		return &svm.Model{Kernel: kernel.Any{Kernel: kernel.Linear{}}, W: []float64{0}, B: b}
	}
	for _, c := range []struct {
		b         []float64
		want, ovo int
	}{
		{[]float64{1, -1, 1}, 7, 2},  // 7 beats 2, 5 beats 7, 2 beats 5
		{[]float64{-1, 1, -1}, 7, 2}, // the other way round
		{[]float64{0, 0, 0}, 5, 2},   // the second class of each wins: 2, 5, 5; in OneVsOne the first of 2-5, 2-7, 5-7
	} {
		m := &libsvm.SVM{Labels: []int{7, 2, 5}, Machines: []*svm.Model{machine(c.b[0]), machine(c.b[1]), machine(c.b[2])}}
		if got := m.Predict([]float64{1}); got != c.want {
			t.Errorf("%v: label %d, want %d", c.b, got, c.want)
		}
		if got := m.OneVsOne().Predict([]float64{1}); got != c.ovo {
			t.Errorf("%v: label by OneVsOne %d, want %d", c.b, got, c.ovo)
		}
	}
}

// A machine for the largest label and the smallest, which are more than an int apart. It scores the
// first above 0, so that is the label, in whatever order the file has them.
func TestLargeLabels(t *testing.T) {
	for _, labels := range [][]int{{math.MaxInt, math.MinInt}, {math.MinInt, math.MaxInt}} {
		m := &libsvm.SVM{Labels: labels, Machines: []*svm.Model{{Kernel: kernel.Any{Kernel: kernel.Linear{}}, W: []float64{1}}}}
		o := m.OneVsOne()
		if got := o.Predict([]float64{2}); got != labels[0] || o.Pairs[0] != [2]int{math.MinInt, math.MaxInt} {
			t.Errorf("labels %d: label %d, want %d; pairs %d, want the smaller label first", labels, got, labels[0], o.Pairs)
		}
	}
}

// A small file asks for much memory: 100 linear classes are 4950 rows of weights, with 4 million
// features 148 GiB. An index may be the largest int, and counted from 0 there is one feature more.
func TestMemory(t *testing.T) {
	var labels strings.Builder
	for k := range 100 {
		fmt.Fprint(&labels, " ", k)
	}
	many := "svm_type c_svc\nkernel_type linear\nnr_class 100\ntotal_sv 1\nrho" + strings.Repeat(" 0", 4950) + "\nlabel" + labels.String() +
		"\nnr_sv 1" + strings.Repeat(" 0", 99) + "\nSV\n1" + strings.Repeat(" 0", 98) + " 4000000:1\n"
	two := "svm_type c_svc\nkernel_type rbf\ngamma 1\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 -1\nnr_sv 1 1\nSV\n1 %d:1\n-1 1:1\n"
	for _, c := range []struct {
		file string
		f    libsvm.Format
		want string
	}{
		{many, libsvm.Format{}, "4951 rows of 4000000 features are too many"},
		{many, libsvm.Format{D: 4000000}, "4951 rows of 4000000 features are too many"},
		{fmt.Sprintf(two, math.MaxInt), libsvm.Format{ZeroBased: true}, "too many for dense ones"},
		{fmt.Sprintf(two, math.MaxInt), libsvm.Format{}, "too many for dense ones"},
	} {
		if _, err := c.f.ReadSVM(strings.NewReader(c.file), "file"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v, %.30q…: error %v, want one with %q", c.f, c.file, err, c.want)
		}
	}
	scaling := fmt.Sprintf("x\n-1 1\n%d 0 1\n", math.MaxInt)
	if _, err := (libsvm.Format{ZeroBased: true}).ReadScaling(strings.NewReader(scaling), "file"); err == nil || !strings.Contains(err.Error(), "too many for dense ones") {
		t.Errorf("scaling: error %v", err)
	}
}

// A million labels in a file of 7 MB are not compared two by two, which would take minutes.
func TestManyLabels(t *testing.T) {
	file := bytes.NewBufferString("solver_type L2R_LR\nnr_class 1000001\nlabel")
	for k := range 1000000 {
		fmt.Fprint(file, " ", k)
	}
	file.WriteString(" 999999\nnr_feature 1\nbias -1\nw\n")
	if _, err := (libsvm.Format{}).ReadLinear(file, "file"); err == nil || !strings.HasSuffix(err.Error(), "file:3: the label 999999 stands there twice") {
		t.Errorf("error %v", err)
	}
}

// What is written and read again predicts the same, for the models of the fits here.
func TestBothWays(t *testing.T) {
	r := rand.New(rand.NewPCG(50, 1))
	for range 20 {
		n, d, M := 30+r.IntN(30), 1+r.IntN(5), 2+r.IntN(3)
		X, y := mat.NewDense(n, d, nil), make([]int, n)
		for i := range n {
			y[i] = (i%M)*3 - 4
			for j := range d {
				X.Set(i, j, r.NormFloat64()+float64(y[i]*(j+1)%3))
			}
		}
		k := []kernel.Kernel{kernel.Linear{}, kernel.RBF{}, kernel.Polynomial{Coef0: 1}, kernel.Polynomial{Degree: 3, Gamma: 0.1, Coef0: 1}}[r.IntN(4)]
		binary := calibration.Classifier[*svm.Model]{Algorithm: svm.Classifier{C: 1, Kernel: k, MaxIter: 1e6}, Folds: 2}
		fitted := testkit.Try(multiclass.ProbableOneVsOne[*calibration.ClassifierModel[*svm.Model]]{Binary: binary}.Fit(X, y)).Or(t)
		file := written(t, libsvm.OfProbable(fitted).Write)
		m := testkit.Try(libsvm.Format{D: d}.ReadSVM(file, "file")).Or(t)
		p := testkit.Try(m.ProbableOneVsOne()).Or(t)
		want, got := fitted.Posteriors(nil, X), p.Posteriors(nil, X)
		if !mat.EqualApprox(got, want, 1e-10) {
			t.Errorf("%v, %d classes: probabilities differ", k, M)
		}
		if !slices.Equal(p.Classes, fitted.Classes) {
			t.Errorf("classes %v, want %v", p.Classes, fitted.Classes)
		}
		for i := range n {
			x := X.RawRowView(i)
			if got, want := p.OneVsOneModel.Decisions(nil, x), fitted.OneVsOneModel.Decisions(nil, x); !floats.EqualApprox(got, want, 1e-9*(1+floats.Norm(want, math.Inf(1)))) {
				t.Errorf("%v: decisions %v, want %v", k, got, want)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	const head = "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 -1\nnr_sv 1 1\nSV\n"
	const linear = "solver_type L2R_LR\nnr_class 2\nlabel 1 2\nnr_feature 2\nbias -1\nw\n1\n2\n"
	for _, c := range []struct{ kind, file, want string }{
		{"svm", "", "the file ends after line 0, want a line \"SV\""},
		{"svm", strings.Replace(head, "c_svc", "epsilon_svr", 1), ":1: svm_type epsilon_svr, want c_svc or nu_svc"},
		{"svm", strings.Replace(head, "rbf", "precomputed", 1), ":2: kernel_type precomputed"},
		{"svm", strings.Replace(head, "0.5", "0", 1), ":3: gamma 0"},
		{"svm", strings.Replace(head, "gamma 0.5\n", "", 1), "there is no line \"gamma\""},
		{"svm", strings.Replace(head, "label 1 -1", "label 1 1", 1), ":7: the label 1 stands there twice"},
		{"svm", strings.Replace(head, "nr_class 2", "nr_class 1000000000", 1), ":7: 2 labels of 1000000000 classes"},
		{"svm", strings.Replace(head, "rho 0", "rho nan", 1), ":6: rho \"nan\" is not a finite number"},
		{"svm", strings.Replace(head, "gamma", "gama", 1), ":3: \"gama\", want one of svm_type"},
		{"svm", strings.Replace(head, "rho 0\n", "rho 0\nrho 0\n", 1), ":7: rho stands in line 6 too"},
		{"svm", head + "1 1:1\n", "the file ends after line 10, want 2 support vectors, and there are 1"},
		{"svm", head + "1 1:1\n-1 1:2\n-1 1:3\n", ":12: 3 support vectors, want 2"},
		{"svm", head + "1 2:1 1:1\n-1 1:2\n", ":10: index 1 after 2, want ascending"},
		{"svm", head + "1 0:1\n-1 1:2\n", "set ZeroBased"},
		{"svm", head + "1 1:inf\n-1 1:2\n", ":10: the value of index 1, \"inf\" is not"},
		{"svm", head + "1 2000000000:1\n-1 1:2\n", "too many for dense ones"},
		{"svm", strings.Replace(head, "nr_sv 1 1", "nr_sv 1 2", 1) + "1 1:1\n-1 1:2\n", ":8: nr_sv has 3 support vectors in all, want 2"},
		{"svm", strings.Replace(head, "nr_sv", "probA -1\nnr_sv", 1) + "1 1:1\n-1 1:2\n", "there is no line \"probB\""},
		{"linear", strings.Replace(linear, "L2R_LR", "L2R_L2LOSS_SVR", 1), ":1: solver_type L2R_L2LOSS_SVR, want one for classes"},
		{"linear", linear + "3\n", "want nothing after the weights of 2 features"},
		{"linear", strings.TrimSuffix(linear, "2\n"), "the file ends after line 7"},
		{"linear", strings.Replace(linear, "\n2\n", "\n2 3\n", 1), ":8: 2 numbers, want 1"},
		{"scaling", "y\n-1 1\n0 5\nx\n-1 1\n1 0 2\n", "the file scales targets too"},
		{"scaling", "x\n1 -1\n1 0 2\n", ":2: the interval from 1 to -1"},
		{"scaling", "x\n-1 1\n2 0 2\n1 0 2\n", ":4: feature 1, want ascending ones"},
		{"scaling", "x\n-1 1\n2 3 2\n", "the minimum 3 is above the maximum 2"},
		{"scaling", "x\n-1 1\n", "there is no feature"},
	} {
		var err error
		r := strings.NewReader(c.file)
		switch c.kind {
		case "svm":
			_, err = libsvm.Format{}.ReadSVM(r, "file")
		case "linear":
			_, err = libsvm.Format{}.ReadLinear(r, "file")
		case "scaling":
			_, err = libsvm.Format{}.ReadScaling(r, "file")
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "libsvm: file:") {
			t.Errorf("%q: error %v, want one with %q", c.file, err, c.want)
		}
	}
}

// A Model that LIBSVM cannot have is refused before a byte is written.
func TestRefused(t *testing.T) {
	fine := func() *svm.Model {
		return &svm.Model{Kernel: kernel.Any{Kernel: kernel.RBF{}}, Vectors: [][]float64{{1}, {2}}, Coef: []float64{1, -1}}
	}
	with := func(change func(m *svm.Model)) []*svm.Model {
		m := fine()
		change(m)
		return []*svm.Model{m}
	}
	for want, m := range map[string]*libsvm.SVM{
		"no kernel kernel.Laplace":   {Labels: []int{1, -1}, Machines: with(func(m *svm.Model) { m.Kernel.Kernel = kernel.Laplace{} })},
		"has no kernel":              {Labels: []int{1, -1}, Machines: with(func(m *svm.Model) { m.Kernel.Kernel = nil })},
		"is nil":                     {Labels: []int{1, -1}, Machines: []*svm.Model{nil}},
		"not finite":                 {Labels: []int{1, -1}, Machines: with(func(m *svm.Model) { m.B = math.NaN() })},
		"2 coefficients":             {Labels: []int{1, -1}, Machines: with(func(m *svm.Model) { m.Vectors = m.Vectors[:1] })},
		"a machine for every two":    {Labels: []int{1, 2, 3}, Machines: []*svm.Model{fine()}},
		"label 1 is there twice":     {Labels: []int{1, 1}, Machines: []*svm.Model{fine()}},
		"does not fit into 32 bits":  {Labels: []int{1, 1 << 40}, Machines: []*svm.Model{fine()}},
		"one for each of the 1":      {Labels: []int{1, -1}, Machines: []*svm.Model{fine()}, Sigmoids: make([]calibration.Platt, 2)},
		"another kernel":             {Labels: []int{1, 2, 3}, Machines: []*svm.Model{fine(), with(func(m *svm.Model) { m.Kernel.Kernel = kernel.RBF{Gamma: 2} })[0], fine()}},
		"takes samples of 2 numbers": {Labels: []int{1, 2, 3}, Machines: []*svm.Model{fine(), with(func(m *svm.Model) { m.Vectors = [][]float64{{1, 2}, {2, 3}} })[0], fine()}},
	} {
		var b bytes.Buffer
		if err := m.Write(&b); err == nil || !strings.Contains(err.Error(), want) || b.Len() > 0 {
			t.Errorf("error %v after %d bytes, want one with %q", err, b.Len(), want)
		}
	}
	for want, m := range map[string]*libsvm.Linear{
		"want one of":             {Solver: "lbfgs", LinearMachine: mlkit.LinearMachine{Classes: []int{1, 2}, W: [][]float64{{1}, {2}}, B: []float64{0, 0}}},
		"1 rows of W":             {Solver: "L2R_LR", LinearMachine: mlkit.LinearMachine{Classes: []int{1, 2}, W: [][]float64{{1}}, B: []float64{0, 0}}},
		"W[1] has 2 weights":      {Solver: "L2R_LR", LinearMachine: mlkit.LinearMachine{Classes: []int{1, 2}, W: [][]float64{{1}, {2, 3}}, B: []float64{0, 0}}},
		"W[0] or B[0] is not":     {Solver: "L2R_LR", LinearMachine: mlkit.LinearMachine{Classes: []int{1, 2}, W: [][]float64{{math.Inf(1)}, {2}}, B: []float64{0, 0}}},
		"the label 2 is there tw": {Solver: "L2R_LR", LinearMachine: mlkit.LinearMachine{Classes: []int{2, 2}, W: [][]float64{{1}, {2}}, B: []float64{0, 0}}},
	} {
		var b bytes.Buffer
		if err := m.Write(&b); err == nil || !strings.Contains(err.Error(), want) || b.Len() > 0 {
			t.Errorf("error %v after %d bytes, want one with %q", err, b.Len(), want)
		}
	}
	if err := (&libsvm.Scaling{Low: 1, High: 1, Mins: []float64{0}, Maxes: []float64{1}}).Write(new(bytes.Buffer)); err == nil {
		t.Error("an empty interval was written")
	}
}

// Whatever a file has, reading it ends with a model that can be written and read again, or with
// an error.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"rbf.model", "linear.model", "logistic.model", "scale.range"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		if m, err := (libsvm.Format{}).ReadSVM(bytes.NewReader(file), "file"); err == nil {
			var b bytes.Buffer
			if err := m.Write(&b); err != nil {
				t.Fatalf("what was read cannot be written: %v", err)
			}
			if _, err := (libsvm.Format{D: max(1, m.Inputs())}).ReadSVM(&b, "again"); err != nil {
				t.Fatalf("what was written cannot be read: %v", err)
			}
			if d := m.Inputs(); d > 0 {
				m.Predict(make([]float64, d))
				m.OneVsOne().Predict(make([]float64, d))
			}
		}
		if m, err := (libsvm.Format{}).ReadLinear(bytes.NewReader(file), "file"); err == nil {
			m.Predict(make([]float64, m.Inputs()))
		}
		if s, err := (libsvm.Format{}).ReadScaling(bytes.NewReader(file), "file"); err == nil {
			s.TransformSample(nil, make([]float64, s.Inputs()))
		}
	})
}
