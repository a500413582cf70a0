package space

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting"
)

func sceneOf(v View, layers ...Layer) (*space, *scene) {
	s := New(v, layers...).(*space)
	return s, s.box().scene(vg.Rectangle{Max: vg.Point{X: 360, Y: 300}})
}

// Seen from the end of the first axis, the second runs to the right and the third upwards;
// the other rows follow by turning the head. The three directions are always orthonormal
// and right-handed.
func TestViewDirections(t *testing.T) {
	for _, c := range []struct {
		azimuth, elevation float64
		right, up, eye     vec
	}{
		{0, 0, vec{0, 1, 0}, vec{0, 0, 1}, vec{1, 0, 0}},
		{-90, 0, vec{1, 0, 0}, vec{0, 0, 1}, vec{0, -1, 0}},
		{-90, 90, vec{1, 0, 0}, vec{0, 1, 0}, vec{0, 0, 1}},
		{-60, 30, vec{math.Sqrt(3) / 2, 0.5, 0}, vec{-0.25, math.Sqrt(3) / 4, math.Sqrt(3) / 2}, vec{math.Sqrt(3) / 4, -0.75, 0.5}},
	} {
		s, _ := sceneOf(View{Azimuth: c.azimuth, Elevation: c.elevation})
		b := s.box()
		for _, d := range [][2]vec{{b.right, c.right}, {b.up, c.up}, {b.eye, c.eye}} {
			if d[0].plus(-1, d[1]).norm() > 1e-12 {
				t.Errorf("azimuth %g, elevation %g: right %v, up %v, eye %v, want %v, %v, %v",
					c.azimuth, c.elevation, b.right, b.up, b.eye, c.right, c.up, c.eye)
				break
			}
		}
	}
}

// The plane x + y + z = 0 cuts a cube around the origin in a regular hexagon with sides
// √2/2 of the cube's, x = 0 cuts it in a square, and x = 9 misses it.
func TestPlaneCut(t *testing.T) {
	cube := Points(mat.NewDense(2, 3, []float64{-1, -1, -1, 1, 1, 1}))
	for _, c := range []struct {
		a       []float64
		b       float64
		corners int
		side    float64
	}{
		{[]float64{1, 1, 1}, 0, 6, math.Sqrt2 / 2},
		{[]float64{-5, 0, 0}, 0, 4, 1},
		{[]float64{0, 0, 3}, 0, 4, 1},
		{[]float64{1, 0, 0}, -9, 0, 0},
		{[]float64{0, 0, 0}, 1, 0, 0},
	} {
		l := Plane(c.a, c.b)
		_, scene := sceneOf(View{}, cube, l)
		all := l.solids(scene)
		if c.corners == 0 {
			if len(all) != 0 {
				t.Errorf("plane %v, %v: %d solids, want none", c.a, c.b, len(all))
			}
			continue
		}
		at := all[0].at
		if len(at) != c.corners {
			t.Errorf("plane %v: %d corners, want %d", c.a, len(at), c.corners)
		}
		for i, p := range at {
			if d := p.plus(-1, at[(i+1)%len(at)]).norm(); math.Abs(d-c.side) > 1e-9 {
				t.Errorf("plane %v: side %d is %g long, want %g", c.a, i, d, c.side)
			}
		}
	}
	// With axes of different scales, every corner still satisfies 2x + y − z/50 = 1.
	l := Plane([]float64{2, 1, -0.02}, -1)
	_, scene := sceneOf(View{}, Points(mat.NewDense(2, 3, []float64{-1, 0, 10, 1, 3, 200})), l)
	for _, q := range l.solids(scene)[0].at {
		var x vec
		for k := range x {
			x[k] = q[k]/scene.scale[k] + (scene.axes[k].Min+scene.axes[k].Max)/2
		}
		if d := 2*x[0] + x[1] - x[2]/50 - 1; math.Abs(d) > 1e-9 {
			t.Errorf("the corner %v is off the plane by %g", x, d)
		}
	}
}

// A solid must not be drawn before one that it covers. Only polygons visibly cover others,
// so the test compares depths where a polygon and the midpoint of another solid project
// to the same point of the paper.
func TestBackToFront(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func() vec { return vec{rng.Float64() - 0.5, rng.Float64() - 0.5, rng.Float64() - 0.5} }
	for range 60 {
		_, scene := sceneOf(View{Azimuth: 360 * rng.Float64(), Elevation: 180*rng.Float64() - 90}, Points(mat.NewDense(2, 3, []float64{-1, -1, -1, 1, 1, 1})))
		var all []solid
		for range 3 {
			n := random()
			all = append(all, Plane(n[:], 0.3*(rng.Float64()-0.5)).solids(scene)...)
		}
		for range 20 {
			all = append(all, solid{at: []vec{random()}}, solid{at: []vec{random(), random()}})
		}
		planes, lines := slices.Clone(all[:3]), slices.Clone(all[3:])
		order := backToFront(all, scene.eye)
		for i, o := range order {
			for _, later := range order[i+1:] {
				// One of the two must be a polygon: the wall.
				back, wall := later, o
				if len(o.at) < 3 {
					back, wall = o, later
				}
				if len(wall.at) < 3 {
					continue
				}
				m := back.middle()
				n := wall.normal
				if n.dot(scene.eye) < 0 {
					n = vec{}.plus(-1, n)
				}
				depth := n.dot(m) - n.dot(wall.at[0])
				// The line of sight through m meets the plane of the wall here.
				hit := m.plus(-depth/n.dot(scene.eye), scene.eye)
				if !within(hit, wall.at, n) {
					continue
				}
				if len(o.at) >= 3 && depth < -1e-6 {
					t.Fatalf("a part %g behind a plane is drawn after it", -depth)
				}
				if len(o.at) < 3 && depth > 1e-6 {
					t.Fatalf("a part %g in front of a plane is drawn before it", depth)
				}
			}
		}
		// The polygons keep their total area.
		if a, b := content(planes), content(slices.DeleteFunc(slices.Clone(order), func(o solid) bool { return len(o.at) < 3 })); math.Abs(a-b) > 1e-9 {
			t.Fatalf("polygons of area %g became %g", a, b)
		}
		// Lines keep their total length, and every point is still there.
		if a, b := length(lines), length(order); math.Abs(a-b) > 1e-9 {
			t.Fatalf("lines of length %g became %g", a, b)
		}
		if n := len(slices.DeleteFunc(order, func(o solid) bool { return len(o.at) != 1 })); n != 20 {
			t.Fatalf("20 points became %d", n)
		}
	}
}

// within reports whether a point in the plane of a convex polygon is inside it.
func within(p vec, at []vec, n vec) bool {
	sign := 0.0
	for i, q := range at {
		e, d := at[(i+1)%len(at)].plus(-1, q), p.plus(-1, q)
		s := n.dot(vec{e[1]*d[2] - e[2]*d[1], e[2]*d[0] - e[0]*d[2], e[0]*d[1] - e[1]*d[0]})
		if sign*s < 0 {
			return false
		}
		sign = s
	}
	return true
}

// content returns the total area of the polygons.
func content(all []solid) (sum float64) {
	for _, o := range all {
		for i := 1; i+1 < len(o.at); i++ {
			e, d := o.at[i].plus(-1, o.at[0]), o.at[i+1].plus(-1, o.at[0])
			sum += vec{e[1]*d[2] - e[2]*d[1], e[2]*d[0] - e[0]*d[2], e[0]*d[1] - e[1]*d[0]}.norm() / 2
		}
	}
	return sum
}

// length returns the total length of the line segments.
func length(all []solid) (sum float64) {
	for _, o := range all {
		if len(o.at) == 2 {
			sum += o.at[1].plus(-1, o.at[0]).norm()
		}
	}
	return sum
}

// Without polygons the farther point comes first, and points at equal depth keep their
// order.
func TestBackToFrontPoints(t *testing.T) {
	at := func(x float64) solid { return solid{at: []vec{{x, 0, 0}, {x, 1, 0}}} }
	var got []float64
	for _, o := range backToFront([]solid{at(0.2), at(-0.4), at(0.1), at(0.3)}, vec{1, 0, 0}) {
		got = append(got, o.at[0][0])
	}
	if !slices.Equal(got, []float64{-0.4, 0.1, 0.2, 0.3}) {
		t.Errorf("drawn at %v, want from far to near", got)
	}
}

// x₁ + 2x₂ + 2x₃ = 9 is at distance 3 from the origin; the nearest point is (1, 2, 2).
func TestDropsFeet(t *testing.T) {
	l := Drops(mat.NewDense(2, 3, []float64{0, 0, 0, 2, 4, 4}), []float64{1, 2, 2}, -9).(*drops)
	for _, foot := range l.feet {
		if foot.plus(-1, vec{1, 2, 2}).norm() > 1e-12 {
			t.Errorf("foot %v, want (1, 2, 2)", foot)
		}
	}
}

// Axes have equal scales up to a ratio of lengths of 4; beyond that, each fills the box.
func TestSpaceScales(t *testing.T) {
	for long, equal := range map[float64]bool{3.9: true, 4.1: false} {
		_, scene := sceneOf(View{}, Points(mat.NewDense(2, 3, []float64{0, 0, 0, 1, 1, long})))
		if got := scene.scale[0] == scene.scale[2]; got != equal {
			t.Errorf("axes of 1 and %g: scales %v, want equal %v", long, scene.scale, equal)
		}
	}
}

// A line through a plane is cut where they meet, and a solid on the plane is in front.
func TestSplit(t *testing.T) {
	n := vec{0, 0, 1}
	line := solid{at: []vec{{0, 0, -1}, {4, 0, 3}}, paint: func(draw.Canvas, []vg.Point) {}}
	behind, front := line.split(n, 0)
	if !slices.Equal(behind.at, []vec{{0, 0, -1}, {1, 0, 0}}) || !slices.Equal(front.at, []vec{{1, 0, 0}, {4, 0, 3}}) {
		t.Errorf("pieces %v and %v, want a cut at (1, 0, 0)", behind.at, front.at)
	}
	if behind, front := (&solid{at: []vec{{1, 2, 0}}}).split(n, 0); behind != nil || front == nil {
		t.Errorf("a point on the plane is not in front of it")
	}
}

// All numbers, names and corners of the box lie on the canvas, for any direction of view.
func TestSceneFits(t *testing.T) {
	long := [3]string{"a rather long name of an axis", "√2 x₁x₂", "z"}
	x := mat.NewDense(2, 3, []float64{0, -1e5, 0, 1, 1e5, 1e-3})
	r := vg.Rectangle{Min: vg.Point{X: 10, Y: 20}, Max: vg.Point{X: 340, Y: 270}}
	for azimuth := -180.0; azimuth < 180; azimuth += 15 {
		for elevation := -90.0; elevation <= 90; elevation += 15 {
			s := New(View{azimuth, elevation, long}, Points(x)).(*space)
			lo, hi := s.box().scene(r).extent()
			if lo.X < r.Min.X || lo.Y < r.Min.Y || hi.X > r.Max.X || hi.Y > r.Max.Y {
				t.Errorf("azimuth %g, elevation %g: from %v to %v, want within %v", azimuth, elevation, lo, hi, r)
			}
		}
	}
}

func TestSpacePanics(t *testing.T) {
	x := mat.NewDense(4, 3, nil)
	for want, f := range map[string]func(){
		"plotting: space.Classes: 4 rows, 3 labels":                                                       func() { Classes(x, make([]int, 3)) },
		"plotting: space.Points: x is 2×2, want n×3":                                                      func() { Points(mat.NewDense(2, 2, nil)) },
		"plotting: space.Plane: a has 2 components, want 3":                                               func() { Plane(make([]float64, 2), 0) },
		"plotting: space.Arrow: to has 1 components, want 3":                                              func() { Arrow(make([]float64, 3), make([]float64, 1), "") },
		"plotting: space.Drops: a = 0 has no plane":                                                       func() { Drops(x, make([]float64, 3), 1) },
		"plotting: space.RightAngle: a direction is zero":                                                 func() { RightAngle(make([]float64, 3), make([]float64, 3), make([]float64, 3)) },
		"plotting: space.New: layer 0 is nil":                                                             func() { New(View{}, nil) },
		"plotting: space.New: azimuth 0°, elevation 91°, want finite degrees, the second from -90 to 90":  func() { New(View{Elevation: 91}) },
		"plotting: space.New: azimuth NaN°, elevation 0°, want finite degrees, the second from -90 to 90": func() { New(View{Azimuth: math.NaN()}) },
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("panic %v, want %q", got, want)
				}
			}()
			f()
		}()
	}
	// Samples with NaN are left out, even if there is nothing else.
	nan := mat.NewDense(1, 3, []float64{math.NaN(), 0, 0})
	plotting.New("", New(View{}, Points(nan), Classes(nan, []int{1}), Curve(nan), Drops(nan, []float64{0, 0, 1}, 0),
		Arrow(nan.RawRowView(0), make([]float64, 3), "a"), Segment(make([]float64, 3), make([]float64, 3), "b"))).PNG(50)
}
