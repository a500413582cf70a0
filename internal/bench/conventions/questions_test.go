//go:build unix

package conventions_test

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

// A library is asked with the parameters of its row.
type library struct {
	title, side, peer string
	parameters        map[string]any
	ask               asker
	signs             bool // its labels are -1 and +1: questions have 0 and 1
}

// fit asks for a fit of X and y and what it says of Z.
func (l library) fit(X [][]float64, y []int, Z [][]float64) answer {
	if l.signs {
		y = slices.Clone(y)
		for i, label := range y {
			y[i] = 2*label - 1
		}
	}
	a, err := l.ask(problem{Peer: l.peer, X: X, Y: y, Z: Z, Parameters: l.parameters})
	if err != nil {
		panic(fmt.Sprintf("%s: %v", l.title, err))
	}
	if l.signs {
		for i, label := range a.Labels {
			a.Labels[i] = (label + 1) / 2
		}
	}
	return a
}

// question is a column of a table.
type question struct {
	title string
	ask   func(l library) string
}

// none stands where a question has no answer.
const none = "–"

// column returns numbers as samples of one feature.
func column(x ...float64) [][]float64 {
	X := make([][]float64, len(x))
	for i, v := range x {
		X[i] = []float64{v}
	}
	return X
}

// overlap are samples of two classes on a line, symmetric to 0, that no point separates. They are near
// enough to each other that a penalty of 1 matters.
var overlap = []float64{-0.9, -0.6, -0.4, 0.3, -0.3, 0.4, 0.6, 0.9}

// upper returns the label high for positive x, low for others, and the other way round for the two in
// the middle, 0.3 from 0.
func upper(x []float64, low, high int) []int {
	y := make([]int, len(x))
	for i, v := range x {
		y[i] = low
		if (v > 0) == (math.Abs(v) != 0.3) {
			y[i] = high
		}
	}
	return y
}

func reversed[T any](v []T) []T {
	v = slices.Clone(v)
	slices.Reverse(v)
	return v
}

// score is what the library computes for sample i: a score, w·x + b, or the odds of the second class.
func (a answer) score(z []float64, i int) (float64, bool) {
	switch {
	case i < len(a.Scores):
		return float64(a.Scores[i]), true
	case len(a.W) == len(z):
		s := 0.0
		if a.B != nil {
			s = float64(*a.B)
		}
		for j, w := range a.W {
			s += float64(w) * z[j]
		}
		return s, true
	}
	return 0, false
}

// positive says which label has positive scores: the rule that holds whichever label is first, more frequent
// or larger.
func positive(l library) string {
	rules := map[string]bool{"larger": true, "smaller": true, "first in the data": true, "second in the data": true, "more frequent": true, "rarer": true}
	for variant := range 8 {
		low, high := 0, 1
		if variant&1 > 0 {
			low, high = 1, 0
		}
		x := slices.Clone(overlap)
		if variant&2 > 0 {
			x = reversed(x)
		}
		frequent := low
		if variant&4 > 0 {
			x = append(x, 0.5, 0.7, 0.8)
			frequent = high
		} else {
			x = append(x, -0.5, -0.7, -0.8)
		}
		y := upper(x, low, high)
		a := l.fit(column(x...), y, column(9))
		s, ok := a.score([]float64{9}, 0)
		if !ok || s == 0 {
			return none
		}
		label := low // the label of positive scores
		if s > 0 {
			label = high
		}
		rules["larger"] = rules["larger"] && label == 1
		rules["smaller"] = rules["smaller"] && label == 0
		rules["first in the data"] = rules["first in the data"] && label == y[0]
		rules["second in the data"] = rules["second in the data"] && label != y[0]
		rules["more frequent"] = rules["more frequent"] && label == frequent
		rules["rarer"] = rules["rarer"] && label != frequent
	}
	for rule, holds := range rules {
		if holds {
			return rule
		}
	}
	return "no rule of these"
}

// zero says which label a sample in the middle of symmetric classes has, if its score is exactly 0.
func zero(l library) string {
	var seen []string
	for _, x := range [][]float64{{-2, -1, 1, 2}, {2, 1, -1, -2}} {
		y := upper(x, 0, 1)
		a := l.fit(column(x...), y, column(0))
		if s, ok := a.score([]float64{0}, 0); !ok || s != 0 || len(a.Labels) == 0 {
			return none
		}
		label := int(a.Labels[0])
		seen = append(seen, map[bool]string{true: "larger", false: "smaller"}[label == 1]+" "+map[bool]string{true: "first", false: "second"}[label == y[0]])
	}
	for _, rule := range []string{"larger", "smaller", "first", "second"} {
		if strings.Contains(seen[0], rule) && strings.Contains(seen[1], rule) {
			if rule == "first" || rule == "second" {
				rule += " in the data"
			}
			return rule
		}
	}
	return none
}

// labels says which labels a library takes: any integers, or only some.
func labels(l library) string {
	l.signs = false
	taken := func(low, high int) bool {
		a := l.fit(column(overlap...), upper(overlap, low, high), column(-0.9, 0.9))
		return a.Error == "" && len(a.Labels) == 2 && int(a.Labels[0]) == low && int(a.Labels[1]) == high
	}
	switch any, zeros, signs := taken(3, 8), taken(0, 1), taken(-1, 1); {
	case any:
		return "any two"
	case zeros && signs:
		return "0, 1; -1, 1"
	case zeros:
		return "0, 1"
	case signs:
		return "-1, 1"
	}
	return "0, 1 as targets"
}

// standardised says whether the unit of a column matters: whether its standardisation is the user's.
func standardised(l library) string {
	X, y, Z := plane(1)
	same := close(l, l.fit(X, y, Z), Z, func() (answer, [][]float64) {
		X, y, Z := plane(1000)
		return l.fit(X, y, Z), Z
	})
	return map[string]string{"same": "no", "different": "yes", none: none}[same]
}

// plane returns samples in the plane, the second column times unit.
func plane(unit float64) (X [][]float64, y []int, Z [][]float64) {
	for i, x := range overlap {
		X = append(X, []float64{x, unit * (x/2 + float64(i%3-1)/3)})
	}
	return X, upper(overlap, 0, 1), [][]float64{{1, unit}, {2, -unit}, {-1, unit / 2}}
}

// close says whether two fits have the same scores: "same", "different", or none.
func close(l library, a answer, Z [][]float64, other func() (answer, [][]float64)) string {
	b, W := other()
	for i := range Z {
		s, ok := a.score(Z[i], i)
		r, also := b.score(W[i], i)
		if !ok || !also || math.IsNaN(s) || math.IsNaN(r) {
			return none
		}
		if math.Abs(s-r) > 0.02*(1+math.Abs(s)) {
			return "different"
		}
	}
	return "same"
}

// twice says whether each sample twice changes the fit: with a penalty it does if the losses are added,
// and does not if they are averaged.
func twice(l library) string {
	Z := column(1, 2, 9)
	y := upper(overlap, 0, 1)
	same := close(l, l.fit(column(overlap...), y, Z), Z, func() (answer, [][]float64) {
		return l.fit(column(append(slices.Clone(overlap), overlap...)...), append(slices.Clone(y), y...), Z), Z
	})
	return map[string]string{"same": "the same", "different": "another fit", none: none}[same]
}

// bias says whether the origin matters: whether b is in the penalty.
func bias(l library) string {
	moved := slices.Clone(overlap)
	for i := range moved {
		moved[i] += 5
	}
	Z, y := column(1, 2, 9), upper(overlap, 0, 1)
	same := close(l, l.fit(column(overlap...), y, Z), Z, func() (answer, [][]float64) {
		Z := column(6, 7, 14)
		return l.fit(column(moved...), y, Z), Z
	})
	return map[string]string{"same": "no", "different": "yes", none: none}[same]
}

// separable says what becomes of samples that a point separates.
func separable(l library) string {
	x := []float64{-2, -1, 1, 2}
	return outcome(l.fit(column(x...), upper(x, 0, 1), column(0)), func(a answer) string {
		if len(a.W) != 1 {
			return "a model"
		}
		said := fmt.Sprintf("w = %.2g", float64(a.W[0]))
		if a.Beside != "" {
			said += ", beside the error " + words(a.Beside)
		}
		return said
	})
}

// constant says what becomes of a column that is always 3.
func constant(l library) string {
	var X [][]float64
	for _, x := range overlap {
		X = append(X, []float64{x, 3})
	}
	return outcome(l.fit(X, upper(overlap, 0, 1), [][]float64{{-0.9, 3}, {0.9, 3}}), func(a answer) string {
		switch {
		case len(a.W) == 2 && math.Abs(float64(a.W[1])) < 1e-6:
			return "its weight is 0"
		case len(a.W) == 2 && !math.IsNaN(float64(a.W[1])):
			return fmt.Sprintf("its weight is %.2g", float64(a.W[1]))
		case len(a.Labels) == 2 && a.Labels[0] == 0 && a.Labels[1] == 1:
			return "ignored"
		}
		return "predictions wrong"
	})
}

// alone says what becomes of samples of one class.
func alone(l library) string {
	return outcome(l.fit(column(-2, -1, 1, 2), []int{1, 1, 1, 1}, column(-9, 9)), func(a answer) string {
		if len(a.Labels) == 2 && a.Labels[0] == 1 && a.Labels[1] == 1 {
			return "predicts it"
		}
		return "a model"
	})
}

// outcome is the error of a, in a few of the library's words, or what a model says of it.
func outcome(a answer, model func(a answer) string) string {
	said := a.Error
	if said == "" {
		said = model(a)
	} else {
		said = "error: " + words(said)
	}
	if a.Warnings > 0 {
		said += "; warns"
	}
	return said
}

var (
	places = regexp.MustCompile(`OpenCV\(.*?error: \(.*?\) `)
	kinds  = regexp.MustCompile(`^\w*(Error|Exception|error): `)
)

// words returns the beginning of a message, without places in sources.
func words(message string) string {
	message = kinds.ReplaceAllString(places.ReplaceAllString(message, ""), "")
	message = strings.Join(strings.Fields(strings.ReplaceAll(message, "|", "/")), " ")
	if runes := []rune(message); len(runes) > 90 {
		cut := string(runes[:90])
		message = cut[:strings.LastIndex(cut, " ")] + " …"
	}
	return message
}

// divisor says by what the squares of the deviations are divided: of n samples, n or n - 1.
func divisor(value, sum float64, n int) string {
	for d, name := range map[int]string{n: "n", n - 1: "n - 1", 1: "1"} {
		if math.Abs(value*float64(d)-sum) < 1e-6*sum {
			return name
		}
	}
	return fmt.Sprintf("another (%.3g)", sum/value)
}

// signs says which direction of a component a library gives: the rule that holds for all orders of samples.
func signs(l library) string {
	rules := map[string]bool{"the element of largest size is positive": true, "the first element is positive": true, "the element of largest size is negative": true, "the sum is positive": true}
	for variant := range 4 {
		X := [][]float64{{2, -1, 0}, {-1, 0.5, 0.25}, {-3, 1, 1}, {4, -2, 0.5}, {-1, 1, -2}}
		if variant&1 > 0 {
			X = reversed(X)
		}
		if variant&2 > 0 {
			for _, row := range X {
				for j := range row {
					row[j] = -row[j]
				}
			}
		}
		a := l.fit(X, []int{0, 0, 0, 0, 0}, X)
		if a.Error != "" || len(a.Components) == 0 {
			return none
		}
		for _, c := range a.Components[:2] {
			largest, sum := 0.0, 0.0
			for _, v := range c {
				sum += float64(v)
				if math.Abs(float64(v)) > math.Abs(largest) {
					largest = float64(v)
				}
			}
			rules["the element of largest size is positive"] = rules["the element of largest size is positive"] && largest > 0
			rules["the element of largest size is negative"] = rules["the element of largest size is negative"] && largest < 0
			rules["the first element is positive"] = rules["the first element is positive"] && c[0] > 0
			rules["the sum is positive"] = rules["the sum is positive"] && sum > 0
		}
	}
	for _, rule := range []string{"the element of largest size is positive", "the first element is positive", "the element of largest size is negative", "the sum is positive"} {
		if rules[rule] {
			return rule
		}
	}
	return "as computed"
}

// axes are samples whose squared deviations add up to 10 and 4 along two axes.
var axes = [][]float64{{-2, 1}, {-1, -1}, {0, 0}, {1, -1}, {2, 1}}

func variance(l library) string {
	a := l.fit(axes, []int{0, 0, 0, 0, 0}, axes)
	if a.Error != "" || len(a.Variances) == 0 {
		return none
	}
	if d := divisor(float64(a.Variances[0]), 10, 5); !strings.HasPrefix(d, "another") { // of standardised columns
		return d
	}
	return none
}

// units says whether PCA standardises: whether the first component of axes with the second column times
// 100 is the second axis.
func units(l library) string {
	X := [][]float64{}
	for _, x := range axes {
		X = append(X, []float64{x[0], 100 * x[1]})
	}
	a := l.fit(X, []int{0, 0, 0, 0, 0}, X)
	if a.Error != "" || len(a.Components) == 0 {
		return none
	}
	ratio := float64(a.Variances[0]) / float64(a.Variances[1])
	return map[bool]string{true: "no", false: "yes"}[math.Abs(ratio-4000) < 1]
}

// flat says what becomes of a constant column of PCA or of scaling.
func flat(l library) string {
	X := [][]float64{{1, 7}, {2, 7}, {3, 7}, {6, 7}}
	a := l.fit(X, []int{0, 0, 0, 0}, X)
	return outcome(a, func(a answer) string {
		if len(a.Scaled) > 0 {
			return fmt.Sprintf("becomes %v", float64(a.Scaled[0][1]))
		}
		if len(a.Components) == 1 {
			return "left out"
		}
		if len(a.Variances) == 2 && math.Abs(float64(a.Variances[1])) < 1e-12 {
			return "a component of variance 0"
		}
		return "a component"
	})
}

func scale(l library) string {
	X := column(-2, -1, 0, 1, 2)
	a := l.fit(X, []int{0, 0, 0, 0, 0}, X)
	if a.Error != "" || len(a.Scaled) != 5 {
		return none
	}
	deviation := 2 / float64(a.Scaled[4][0])
	return divisor(deviation*deviation, 10, 5)
}

// votes says who wins a tie of two nearest neighbours: a point halfway between samples of two classes.
func votes(l library) string {
	var seen []string
	for _, x := range [][]float64{{-1, 1}, {1, -1}} {
		for _, swap := range []bool{false, true} {
			y := upper(x, 0, 1)
			if swap {
				y = upper(x, 1, 0)
			}
			a := l.fit(column(x...), y, column(0))
			if a.Error != "" || len(a.Labels) == 0 {
				return none
			}
			seen = append(seen, map[bool]string{true: "larger", false: "smaller"}[a.Labels[0] == 1]+" "+map[bool]string{true: "first", false: "second"}[int(a.Labels[0]) == y[0]])
		}
	}
	for _, rule := range []string{"larger", "smaller", "first", "second"} {
		if !slices.ContainsFunc(seen, func(s string) bool { return !strings.Contains(s, rule) }) {
			return map[string]string{"larger": "larger", "smaller": "smaller", "first": "first in the data", "second": "second in the data"}[rule]
		}
	}
	return "no rule of these"
}

// nearer says whether the nearer of two neighbours of two classes wins.
func nearer(l library) string {
	a := l.fit(column(-1, 1), []int{1, 0}, column(-0.5, 0.5))
	if a.Error != "" || len(a.Labels) < 2 {
		return none
	}
	return map[bool]string{true: "the nearer", false: "as a tie"}[a.Labels[0] == 1 && a.Labels[1] == 0]
}

// crowded says what becomes of three clusters of samples at two places.
func crowded(l library) string {
	return outcome(l.fit(column(0, 0, 0, 5, 5, 5), []int{0, 0, 0, 0, 0, 0}, column(0)), func(a answer) string {
		return fmt.Sprintf("%d clusters", len(slices.Compact(slices.Sorted(slices.Values(a.Assigned)))))
	})
}

// many says what becomes of three clusters of two samples.
func many(l library) string {
	return outcome(l.fit(column(0, 5), []int{0, 0}, column(0)), func(a answer) string {
		return fmt.Sprintf("%d clusters", len(slices.Compact(slices.Sorted(slices.Values(a.Assigned)))))
	})
}

// again says whether two runs number three far clusters in the same way, ten times.
func again(l library) string {
	X := column(0, 0.1, 0.2, 50, 50.1, 50.2, 90, 90.1, 90.2)
	var first []number
	for range 10 {
		a := l.fit(X, make([]int, len(X)), X)
		if a.Error != "" {
			return none
		}
		if first == nil {
			first = a.Assigned
		}
		if !slices.Equal(first, a.Assigned) {
			return "may differ"
		}
	}
	return "the same"
}

// gaussians says by what a variance is divided in naive Bayes, LDA or QDA: by the log odds of a sample between two
// classes of the same four deviations, at -1 and 1.
func gaussians(l library) string {
	x := []float64{-1.5, -1.5, -0.5, -0.5, 0.5, 0.5, 1.5, 1.5} // squares of deviations: 4·0.25 in each class
	a := l.fit(column(x...), []int{0, 0, 0, 0, 1, 1, 1, 1}, column(0.5))
	if a.Error != "" || len(a.Probabilities) == 0 {
		return none
	}
	p := float64(a.Probabilities[0][1])
	v := 1 / math.Log(p/(1-p)) // (x+1)²/2v - (x-1)²/2v = 2x/v, and x is ½
	unbiased := "n - 1"        // of a class
	if strings.Contains(l.peer, "lda") {
		unbiased = "n - M"
	}
	for d, name := range map[float64]string{0.25: "n", 1.0 / 3: unbiased} {
		if math.Abs(v-d) < 1e-4*d {
			return name
		}
	}
	return fmt.Sprintf("another (variance %.4g)", v)
}

// pinwheel are two samples each of three classes, 1 to 3, that turn around the origin: there each machine of
// two classes votes for another class.
func pinwheel(order []int) (X [][]float64, y []int) {
	for _, class := range order {
		sin, cos := math.Sincos(2 * math.Pi * float64(class) / 3)
		for _, p := range [][2]float64{{1, 0}, {1, 2}} {
			X, y = append(X, []float64{p[0]*cos - p[1]*sin, p[0]*sin + p[1]*cos}), append(y, class)
		}
	}
	return X, y
}

// cycle says which class wins when three machines of two classes each vote for another.
func cycle(l library) string {
	rules := map[string]bool{"the smallest label": true, "the first in the data": true, "the largest label": true, "the last in the data": true}
	for _, order := range [][]int{{1, 2, 3}, {1, 3, 2}, {2, 1, 3}, {2, 3, 1}, {3, 1, 2}, {3, 2, 1}} {
		X, y := pinwheel(order)
		a := l.fit(X, y, [][]float64{{0, 0}})
		if a.Error != "" || len(a.Labels) == 0 {
			return none
		}
		label := int(a.Labels[0])
		rules["the smallest label"] = rules["the smallest label"] && label == 1
		rules["the largest label"] = rules["the largest label"] && label == 3
		rules["the first in the data"] = rules["the first in the data"] && label == order[0]
		rules["the last in the data"] = rules["the last in the data"] && label == order[2]
	}
	for rule, holds := range rules {
		if holds {
			return rule
		}
	}
	return "no rule of these"
}

// machines says how many scores a sample of four classes has: one for each class or one for every two.
func machines(l library) string {
	X, y := [][]float64{{0, 0}, {0, 1}, {5, 0}, {5, 1}, {0, 5}, {0, 6}, {5, 5}, {5, 6}}, []int{1, 1, 2, 2, 3, 3, 4, 4}
	a := l.fit(X, y, [][]float64{{5, 5.5}})
	switch {
	case a.Error != "":
		return "error: " + words(a.Error)
	case len(a.Labels) == 0 || a.Labels[0] != 4:
		return "predictions wrong"
	}
	return map[int]string{0: none, 4: "4, of each class", 6: "6, of every two classes"}[len(a.Scores)]
}
