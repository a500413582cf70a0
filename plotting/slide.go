package plotting

import "marginalia/plotting/internal/notebook"

// A Slider is a number that the reader of a notebook can drag.
type Slider struct {
	Label           string // beside the slider, such as "log₁₀ C"
	Min, Max, Start float64
	Step            float64 // 0 means a hundredth of the range
}

// Slide shows a figure that follows a slider: draw makes the figure for a value. JupyterLab, and
// pages and slides made of a notebook, show the slider above the figure. Others show the figure
// for Start, below a picture of the slider.
//
//	plotting.Slide("c", plotting.Slider{Label: "log₁₀ C", Min: -2, Max: 3}, func(v float64) plotting.Drawing {
//		m, err := svm.Classifier{C: math.Pow(10, v)}.Fit(X, y)
//		…
//		return plotting.New("", plotting.Margin(m.W, m.B, ""), plotting.Classes(X, y))
//	})
//
// The output stores the figures for at most 33 further values, and the slider moves between
// these without a program. Slide draws them before it returns, and drops what draw prints
// meanwhile. After the cell has run in JupyterLab, its program stays and draws the figure for
// any value, until the cell runs again.
//
// If Min and Step are whole numbers, as with the steps of an algorithm, buttons beside the slider
// play the figures one after the other.
//
// Files, and the comparison of marginalia figures, have the figure for Start. Without a
// notebook, draw is called for Start alone.
//
// Slide panics if the slider's numbers make no sense. Other errors end the program, as in
// [Show].
func Slide(name string, s Slider, draw func(value float64) Drawing, alt ...string) {
	slider := notebook.Slider(s)
	if err := slider.Check(name); err != nil {
		panic(err.Error())
	}
	pictures := picturesOf(name, draw)
	if err := slider.Show(name, pictures, alt); err != nil {
		fail(err)
	}
	slider.Offer(name, pictures)
}

func picturesOf(name string, draw func(value float64) Drawing) notebook.Draw {
	return func(value float64) (notebook.Picture, error) {
		d := draw(value)
		return newOnce(d), checkShow("Slide", name, d)
	}
}
