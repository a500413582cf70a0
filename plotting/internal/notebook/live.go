package notebook

import (
	"strconv"
	"time"

	"marginalia/internal/cell/display"
)

// Live is a figure that is redrawn in place while a program runs.
type Live struct {
	ID   string // the notebook replaces the figure by it
	Now  func() time.Time
	name string
	next time.Time // earliest time of the next frame
}

// A live figure shows at most ten frames per second, and takes at most a quarter of the
// program's time.
const (
	frameTime  = 100 * time.Millisecond
	frameShare = 4
)

// NewLive returns a live figure. The kernel remembers ids as long as it runs, so a cell needs a new
// one each time it is run.
func NewLive(name string) *Live {
	return &Live{name: name, ID: name + "-" + strconv.FormatInt(time.Now().UnixNano(), 36), Now: time.Now}
}

// Draw replaces the previous frame by the result of draw, if it is time for a new frame
// and the program runs in a notebook. Otherwise it doesn't call draw.
func (l *Live) Draw(draw func() (Picture, error)) error {
	start := l.Now()
	if !display.Active() || start.Before(l.next) {
		return nil
	}
	p, err := draw()
	if err == nil {
		err = send(l.name, p, nil, l.ID, Screen/2, nil)
	}
	l.next = start.Add(max(frameTime, frameShare*l.Now().Sub(start)))
	return err
}

// End shows the final figure.
func (l *Live) End(p Picture, alt []string) error { return Put(l.name, p, alt, l.ID) }
