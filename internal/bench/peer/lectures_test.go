//go:build unix

package peer_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/bench/adapter"
	"marginalia/internal/install/venv"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// libraries has, by the names in the lectures, the function of conventions/python.py that asks a library, and
// what pip calls the library.
var libraries = map[string]struct{ environment, peer, pip string }{
	"scikit-learn": {"peers", "sklearn_call", "scikit-learn"},
	"statsmodels":  {"peers", "statsmodels_logit", "statsmodels"},
	"LIBSVM":       {"libsvm", "libsvm", "libsvm-official"},
	"LIBLINEAR":    {"libsvm", "liblinear", "liblinear-official"},
}

// libraryAnswer is what a library says of a problem.
type libraryAnswer struct {
	Error      string
	W, Labels  []float64
	B, Support float64
	Versions   map[string]string
}

// fitter fits a library's model to X and y, and asks it about Z.
type fitter func(X *mat.Dense, y []float64, Z *mat.Dense) libraryAnswer

// rowOfLecture returns what the row of a call has in a lecture's table. The data are those of the lecture.
func rowOfLecture(lecture, call string, fit fitter) (numbers []float64) {
	switch {
	case lecture == "03-logistic":
		d := datasets.Must(datasets.Iris().Binary(1, 2))
		y := asFloats(d.Y)
		floats.AddConst(1, y)
		floats.Scale(0.5, y) // 0 and 1
		a := fit(d.X, y, d.X)
		return append(a.W, a.B)
	case lecture == "04-margins": // overlap(5, 40, 0.7), in reverse: with -1 in front the signs are still those of +1
		diagonal := []float64{1, 1}
		d := datasets.Must(datasets.Separable(5, 40, diagonal, 0, 0))
		X, y := mat.NewDense(40, 2, nil), make([]float64, 40)
		for i := range y {
			y[39-i] = float64(d.Y[i])
			X.SetRow(39-i, floats.AddScaledTo(make([]float64, 2), d.X.RawRowView(i), -y[39-i]*0.7/math.Sqrt2, diagonal))
		}
		a := fit(X, y, X)
		return append(a.W, a.B)
	case strings.HasPrefix(call, "KernelRidge"): // waves()
		rng := rand.New(rand.NewPCG(1, 2))
		X, y := mat.NewDense(40, 1, nil), make([]float64, 40)
		for i := range y {
			X.Set(i, 0, 6*rng.Float64())
			y[i] = math.Sin(2*X.At(i, 0)) + 0.2*rng.NormFloat64()
		}
		return fit(X, y, mat.NewDense(2, 1, []float64{0, 6})).Labels
	}
	seen, fresh := datasets.Must(datasets.Moons(100, 100, 0.2)), datasets.Must(datasets.Moons(1000, 1000, 0.2))
	for _, unit := range []float64{1, 10} {
		seen.X.Scale(unit, seen.X)
		fresh.X.Scale(unit, fresh.X)
		for _, d := range []*datasets.Dataset{seen, fresh} {
			a := fit(seen.X, asFloats(seen.Y), d.X)
			if d == seen {
				numbers = append(numbers, a.Support)
			}
			numbers = append(numbers, floats.Distance(a.Labels, asFloats(d.Y), 1)/2) // errors: -1 for +1 or the reverse
		}
	}
	return numbers
}

func asFloats(y []int) []float64 {
	f := make([]float64, len(y))
	for i, label := range y {
		f[i] = float64(label)
	}
	return f
}

var (
	rowOfTable = regexp.MustCompile("(?m)^\\| (\\S+) `([^`]+)` \\|(.*)")
	printed    = regexp.MustCompile(`-?\d+(?:\.(\d+))?`)
)

// A lecture's table in its cell other-numbers has the answers of the pinned libraries to the calls in its rows, to one
// unit of the last digit, and the text above it has their versions.
func TestLectures(t *testing.T) {
	tier.Peer(t)
	root := repotest.Root(t)
	read := func(name string) string {
		return string(must.Get(os.ReadFile(filepath.Join(root, "internal", "bench", "conventions", name))).Or(t))
	}
	environments := map[string]*adapter.Adapter{}
	for name, python := range map[string]string{
		"peers":  must.Get(venv.Cached(t.Context(), "peers", read("python.txt"))).Or(t),
		"libsvm": must.Get(adapter.LIBSVM(t.Context(), root)).Or(t),
	} {
		a := must.Get(adapter.Start(t.Context(), python, "-I", "-c", read("python.py"))).Or(t)
		t.Cleanup(func() { a.Close() }) // the context has ended it
		environments[name] = a
	}
	for lecture, want := range map[string]int{"03-logistic": 6, "04-margins": 6, "05-kernels": 3} {
		cells := must.Get(nbformat.Read(filepath.Join(root, "notebooks", lecture+".ipynb"))).Or(t).Cells
		text := cells[slices.IndexFunc(cells, func(c *nbformat.Cell) bool { return c.ID == "other-numbers" })].Source
		table := rowOfTable.FindAllStringSubmatch(text, -1)
		if len(table) != want {
			t.Errorf("%s: %d rows name a library and a call, want %d", lecture, len(table), want)
		}
		for _, row := range table {
			library, call := libraries[row[1]], row[2]
			if library.peer == "" {
				t.Fatalf("%s: a row names the library %q, which libraries in this file has not", lecture, row[1])
			}
			ask := func(problem map[string]any) (a libraryAnswer) {
				if must.Do(t, environments[library.environment].Ask(problem, &a)); a.Error != "" {
					t.Fatalf("%s, %s %s: %s", lecture, row[1], call, a.Error)
				}
				return a
			}
			_, options, _ := strings.Cut(call, " ") // behind the name of the program
			numbers := rowOfLecture(lecture, call, func(X *mat.Dense, y []float64, Z *mat.Dense) libraryAnswer {
				return ask(map[string]any{"peer": library.peer, "X": rows(X), "y": y, "Z": rows(Z), "parameters": map[string]string{"call": call, "options": options}})
			})
			version := ask(map[string]any{"peer": "versions", "X": []int{}, "y": []int{}, "Z": []int{}, "parameters": map[string]any{"names": []string{library.pip}}}).Versions[library.pip]
			if library.environment == "libsvm" {
				version = strings.TrimSuffix(version, ".0") // pip has 3.37.0 for 3.37
			}
			if !strings.Contains(text, row[1]+" "+version) {
				t.Errorf("%s: the text does not name %s %s, which is pinned", lecture, row[1], version)
			}
			shown := printed.FindAllStringSubmatch(row[3], -1)
			if len(shown) != len(numbers) {
				t.Fatalf("%s, %s %s: the row has %d numbers, want %.6g", lecture, row[1], call, len(shown), numbers)
			}
			for i, s := range shown {
				unit := 0.0 // a count is exact
				if s[1] != "" {
					unit = math.Pow10(-len(s[1]))
				}
				if v, _ := strconv.ParseFloat(s[0], 64); math.Abs(v-numbers[i]) > unit {
					t.Errorf("%s, %s %s: the row has %s, the library answers %.6g", lecture, row[1], call, s[0], numbers[i])
				}
			}
		}
	}
}
