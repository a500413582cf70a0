package pixels

import (
	"math"

	"github.com/golang/freetype/raster"
	"golang.org/x/image/math/fixed"
)

// line is a path made ready to be stroked: curves have become lines, it is cut into
// dashes, and points are left out that are so close to the one before that the stroker
// would have no direction for them.
type line struct {
	path raster.Path
	last fixed.Point26_6 // of path
	here point           // on the path as it was given
	dashes
	index int     // of the dash or gap at here
	spent float64 // of its length
}

var _ raster.Adder = (*line)(nil)

func (l *line) reset(d dashes) {
	l.path.Clear()
	l.dashes = d
}

// Start begins a part of the path, and its dashes.
func (l *line) Start(a fixed.Point26_6) {
	l.here = unfix(a)
	l.index, l.spent = l.first, l.into
	if l.inked() {
		l.start(l.here)
	}
}

// Add1 goes along a line.
func (l *line) Add1(b fixed.Point26_6) { l.lineTo(unfix(b)) }

// Add2 goes along a parabola, about a pixel at a time.
func (l *line) Add2(b, c fixed.Point26_6) {
	p0, p1, p2 := l.here, unfix(b), unfix(c)
	n := steps(p0.to(p1) + p1.to(p2))
	for i := range n {
		t := float64(i) / (float64(n) - 1)
		u := 1 - t
		w0, w1, w2 := u*u, 2*u*t, t*t
		l.lineTo(point{w0*p0.x + w1*p1.x + w2*p2.x, w0*p0.y + w1*p1.y + w2*p2.y})
	}
	l.here = p2
}

// Add3 is never called: cubic curves come as lines.
func (l *line) Add3(b, c, d fixed.Point26_6) { l.Add1(d) }

func (l *line) lineTo(p point) {
	for len(l.lengths) > 0 {
		left, d := l.lengths[l.index]-l.spent, l.here.to(p)
		if !(d > left) {
			l.spent += d
			break
		}
		t := left / d
		l.here = point{l.here.x + (p.x-l.here.x)*t, l.here.y + (p.y-l.here.y)*t}
		if l.inked() {
			l.add(l.here)
		}
		if l.index, l.spent = (l.index+1)%len(l.lengths), 0; l.inked() {
			l.start(l.here)
		}
	}
	l.here = p
	if l.inked() {
		l.add(p)
	}
}

// inked reports whether the line is within a dash, not a gap.
func (l *line) inked() bool { return l.index%2 == 0 }

func (l *line) start(p point) {
	l.last = p.fixed()
	l.path.Start(l.last)
}

func (l *line) add(p point) {
	const near fixed.Int26_6 = 4
	f := p.fixed()
	if d := f.Sub(l.last); max(d.X, -d.X)+max(d.Y, -d.Y) > near {
		l.path.Add1(f)
		l.last = f
	}
}

// dashes are the lengths of dashes and gaps in turn, in pixels, an even number of them,
// and where in them a line begins: at which, and how far into it. No lengths are a line
// without gaps.
type dashes struct {
	lengths []float64
	first   int
	into    float64
}

// newDashes returns the dashes of a pattern. One of an odd number of lengths is taken
// twice; one too short to be seen is none.
func newDashes(lengths []float64, offset float64) dashes {
	if len(lengths)%2 == 1 {
		lengths = append(lengths, lengths...)
	}
	sum := 0.0
	for _, l := range lengths {
		sum += l
	}
	if !(sum >= 1./64) {
		return dashes{}
	}
	d := dashes{lengths: lengths}
	if offset = math.Mod(offset, sum); offset < 0 {
		offset += sum
	}
	for i, l := range lengths {
		if offset < l {
			d.first, d.into = i, offset
			break
		}
		offset -= l
	}
	return d
}
