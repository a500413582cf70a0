package plotting

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"marginalia/internal/display"
)

// A LiveFigure is redrawn in place while a program runs. [Live] makes one.
type LiveFigure struct {
	name string
	id   string    // by which the notebook replaces it
	next time.Time // not to be drawn before
	now  func() time.Time
}

// Frames of a live figure come at most ten times a second, and leave the program
// three quarters of its time.
const (
	frameTime  = 100 * time.Millisecond
	frameShare = 4
)

// Live returns a figure that follows a fit: the Trace hook of an algorithm hands
// what there is to see to [LiveFigure.Draw], and [LiveFigure.End] leaves the
// figure that stays in the notebook.
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
// How many frames there are depends on the clock, what End shows does not: that
// alone is stored, written to files and compared.
func Live(name string) *LiveFigure {
	if err := checkShow("Live", name, new(Figure)); err != nil {
		panic(err.Error())
	}
	// The kernel remembers ids for as long as it runs, and a cell that is run
	// again needs another one.
	return &LiveFigure{name: name, id: name + "-" + strconv.FormatInt(time.Now().UnixNano(), 36), now: time.Now}
}

// Draw shows what draw returns in place of the frame before, if it is time for
// one and somebody may be looking; otherwise it does not call draw.
func (l *LiveFigure) Draw(draw func() Drawing) {
	start := l.now()
	if !display.Active() || start.Before(l.next) {
		return
	}
	d := draw()
	err := checkShow("Live", l.name, d)
	if err == nil {
		err = send(l.name, d, nil, l.id, screen/2)
	}
	if err != nil {
		fail(err)
	}
	l.next = start.Add(max(frameTime, frameShare*l.now().Sub(start)))
}

// End shows the figure that stays, as [Show] does.
func (l *LiveFigure) End(d Drawing, alt ...string) {
	err := checkShow("Live", l.name, d)
	if err == nil {
		err = put(l.name, d, alt, l.id)
	}
	if err != nil {
		fail(err)
	}
}

// fail ends the program of a cell that can't show its figure.
func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
