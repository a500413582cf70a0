package plotting

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"marginalia/internal/cell/display"
)

// A LiveFigure is redrawn in place while a program runs. [Live] makes one.
type LiveFigure struct {
	name string
	id   string    // the notebook replaces the figure by it
	next time.Time // earliest time of the next frame
	now  func() time.Time
}

// A live figure shows at most ten frames per second, and takes at most a quarter of the
// program's time.
const (
	frameTime  = 100 * time.Millisecond
	frameShare = 4
)

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
	if err := checkShow("Live", name, new(Figure)); err != nil {
		panic(err.Error())
	}
	// The kernel remembers ids as long as it runs, so a cell needs a new one each time it is
	// run.
	return &LiveFigure{name: name, id: name + "-" + strconv.FormatInt(time.Now().UnixNano(), 36), now: time.Now}
}

// Draw replaces the previous frame by the result of draw, if it is time for a new frame
// and the program runs in a notebook. Otherwise it doesn't call draw.
func (l *LiveFigure) Draw(draw func() Drawing) {
	start := l.now()
	if !display.Active() || start.Before(l.next) {
		return
	}
	d := draw()
	err := checkShow("Live", l.name, d)
	if err == nil {
		err = send(l.name, d, nil, l.id, screen/2, nil)
	}
	if err != nil {
		fail(err)
	}
	l.next = start.Add(max(frameTime, frameShare*l.now().Sub(start)))
}

// End shows the final figure, as [Show] does.
func (l *LiveFigure) End(d Drawing, alt ...string) {
	err := checkShow("Live", l.name, d)
	if err == nil {
		err = put(l.name, d, alt, l.id)
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
