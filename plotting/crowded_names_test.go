package plotting_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	. "marginalia/plotting"

	"marginalia/plotting/space"
)

// Names of rows and columns keep apart, and so do the values of bars, however many and long they
// are and however small the figure is.
func TestManyNamesApart(t *testing.T) {
	for _, n := range []int{3, 12, 30} {
		for _, long := range []int{1, 12, 200} {
			var names []string
			values, counts := make([]float64, n), make([][]int, n)
			for k := range n {
				names = append(names, fmt.Sprint(k)+strings.Repeat("a name ", long)[:long])
				values[k] = float64(1-2*(k%2)) * 1234.5 * float64(k+1)
				counts[k] = make([]int, n)
				counts[k][k] = 1000 + k
			}
			one := make([][]float64, n) // a bar of each of n series
			for k := range one {
				one[k] = values[k : k+1]
			}
			for _, inches := range []vg.Length{2, 3, 5} {
				name := fmt.Sprintf("%d names of %d letters, %v inches", n, long, inches)
				w, h := inches*vg.Inch, 0.7*inches*vg.Inch
				keepApart(t, name+", bars", New("bars", Bars(names, [][]float64{values}, Labelled())).Size(w, h))
				keepApart(t, name+", series", New("series", Bars([]string{"a"}, one, Labelled())).Size(w, h))
				keepApart(t, name+", confusion", New("confusion", Confusion(counts, names)).Size(w, h))
			}
		}
	}
}

// The axes of a space at least three inches wide have numbers, whatever the range: their notes may
// be wide.
func TestSpaceHasNumbers(t *testing.T) {
	for _, r := range [][2]float64{{-1, 1}, {1e9, 1e9 + 3}, {-1e308, 1e308}, {1e-12, 2e-12}, {1.7e9, 1.7e9 + 3600}, {1, 1 + 1e-9}} {
		x := mat.NewDense(2, 3, []float64{r[0], r[0], r[0], r[1], r[1], r[1]})
		for _, inches := range []vg.Length{3, 3.5, 5} {
			f := New("space", space.New(space.View{Azimuth: -60, Elevation: 25, Labels: [3]string{"x₁", "a label of the second", "x₃"}}, space.Points(x)))
			var cv words
			w, h := inches*vg.Inch, 0.85*inches*vg.Inch
			f.Size(w, h).Draw(draw.NewCanvas(&cv, w, h))
			numbers := 0
			for _, word := range cv.placed {
				if strings.ContainsAny(word.text, "0123456789") && !slices.Contains([]string{"+", "×"}, string([]rune(word.text)[:1])) {
					numbers++
				}
			}
			if numbers < 6 {
				t.Errorf("from %v to %v, %v inches: %d numbers, want two on each axis", r[0], r[1], inches, numbers)
			}
			keepApart(t, fmt.Sprintf("from %v to %v, %v inches", r[0], r[1], inches), f)
		}
	}
}
