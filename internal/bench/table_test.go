package main

import (
	"math"
	"testing"
)

func TestMarkdown(t *testing.T) {
	got := markdown([]result{
		{Case: "a", Title: "SVC", N: 5000, D: 20, Cores: 1, Sides: []record{
			{Side: ours, Family: ours, Times: []float64{0.5, 0.4, 0.6}, Peak: 100 << 20},
			{Side: "scikit-learn slow", Family: scikit, Times: []float64{9, 9, 9}, Peak: 300 << 20},
			{Side: "scikit-learn fast", Family: scikit, Times: []float64{1, 1.2, 0.9}, Peak: 200 << 20},
			{Side: "scikit-learn wrong", Family: scikit, Times: []float64{0.1}, Peak: 200 << 20, Refused: "objective 2"},
			{Side: oneDAL, Family: oneDAL, Times: []float64{1.5, 1.5, 1.5}, Peak: 90 << 20},
			{Side: "LIBSVM 3.37 (PyPI)", Family: libsvm, Times: []float64{2, 2, 2}, Peak: 80 << 20},
		}},
		{Case: "dual", Title: "dual", N: 10, D: 2, Cores: 2, PerPass: true, Sides: []record{
			{Side: ours, Family: ours, Times: []float64{0.2}, Passes: 10, Peak: 1 << 20},
			{Side: scikit, Family: scikit, Times: []float64{0.1}, Passes: 2, Peak: 2 << 20},
		}},
		{Case: "predict", Title: "classes", N: 10, D: 2, Cores: 1, Sides: []record{
			{Side: ours, Family: ours, Refused: "did not solve it", Peak: 1 << 20},
			{Side: scikit, Family: scikit, Times: []float64{3}, PredictTimes: []float64{4}, Errors: 0.0147, Peak: 2 << 20},
		}},
	})
	const want = `| case | n × d | mlkit | scikit-learn | ratio | oneDAL | ratio | LIBSVM, LIBLINEAR | ratio | peak memory, MB |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
| SVC | 5000 × 20 | 500 ms | 1 s | 2 (1.5-3) | 1.5 s | 3 (2.5-3.8) | 2 s | 4 (3.3-5) | 100 / 200 / 90 / 80 |
| dual, 2 cores | 10 × 2 | 200 ms | 100 ms | 0.5 (0.5-0.5) | - |  | - |  | 1 / 2 |
| dual: a pass, 2 cores | 10 × 2 | 20 ms | 50 ms | 2.5 (2.5-2.5) | - |  | - |  | 1 / 2 |
| classes | 10 × 2 | - | 3 s |  | - |  | - |  | - / 2 |
| classes: predictions | 10 × 2 | - | 4 s |  | - |  | - |  | - / 2 |

- a, scikit-learn wrong: not counted, objective 2
- predict, mlkit: not counted, did not solve it
- predict, scikit-learn: 1.47 % of the test samples wrong
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// t = 3n² for one side and t = n for the other.
func TestExponents(t *testing.T) {
	var results []result
	for _, n := range []float64{1000, 2000, 5000} {
		results = append(results, result{N: int(n), Sides: []record{
			{Side: ours, Times: []float64{3 * n * n}},
			{Side: scikit, Times: []float64{n, n, n}},
			{Side: libsvm, Times: []float64{n}, Refused: "wrong"},
		}})
	}
	got := exponents(results)
	if len(got) != 2 || math.Abs(got[ours]-2) > 1e-12 || math.Abs(got[scikit]-1) > 1e-12 {
		t.Errorf("%v, want 2 and 1", got)
	}
}

func TestGrowthCases(t *testing.T) {
	all := growthCases()
	if len(all) != len(growthSizes) || all[0].Name != "a-1000" || all[0].Train.name != "gaussians-1000x20" || all[0].Params != cases[0].Params {
		t.Errorf("%+v", all)
	}
}
