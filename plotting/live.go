package plotting

import (
	"fmt"
	"os"

	"marginalia/plotting/internal/notebook"
)

// A LiveFigure is redrawn in place while a program runs. [Live] makes one.
type LiveFigure struct {
	name string
	live *notebook.Live
}

// Live returns a figure that follows a fit. The Trace hook of an algorithm passes the
// current state to [LiveFigure.Draw], and [LiveFigure.End] shows the figure that stays in
// the notebook.
//
//	live := plotting.Live("loss")
//	var loss []float64
//	p := svm.Pegasos{Trace: func(s svm.LinearStep) bool {
//		loss = append(loss, s.Primal)
//		live.Draw(func() plotting.Drawing { return plotting.New("", plotting.Line(nil, loss)) })
//		return true
//	}}
//	m, err := p.Fit(X, y)
//	…
//	live.End(plotting.New("", plotting.Line(nil, loss)))
//
// The number of frames depends on the clock. Only the figure of End is stored, written
// to files and compared.
func Live(name string) *LiveFigure {
	if err := notebook.CheckName("Live", name); err != nil {
		panic(err.Error())
	}
	return &LiveFigure{name, notebook.NewLive(name)}
}

// Draw replaces the previous frame by the result of draw, if it is time for a new frame
// and the program runs in a notebook. Otherwise it doesn't call draw.
func (l *LiveFigure) Draw(draw func() Drawing) {
	err := l.live.Draw(func() (notebook.Picture, error) {
		d := draw()
		return newOnce(d), checkShow("Live", l.name, d)
	})
	if err != nil {
		fail(err)
	}
}

// End shows the final figure, as [Show] does.
func (l *LiveFigure) End(d Drawing, alt ...string) {
	err := checkShow("Live", l.name, d)
	if err == nil {
		err = l.live.End(newOnce(d), alt)
	}
	if err != nil {
		fail(err)
	}
}

// fail ends the program of a cell that could not show its figure.
func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
