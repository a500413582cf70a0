package pen

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Groups are the labels of samples with the look of each class.
type Groups struct {
	Look
	Y      []int
	Labels []int // the distinct labels, ascending
	Kinds  []int // for each label, the index of its colour and glyph
}

// NewGroups returns the looks of the classes of labels y. It panics unless there are as many
// names as classes, or none.
func NewGroups(what string, y []int, looks Look) Groups {
	l := Groups{Look: looks, Y: y}
	l.Labels = slices.Compact(slices.Sorted(slices.Values(y)))
	l.Kinds = KindsOf(l.Labels)
	if len(l.Names) > 0 && len(l.Names) != len(l.Labels) {
		panic(fmt.Sprintf("plotting: %s: %d names, %d classes", what, len(l.Names), len(l.Labels)))
	}
	return l
}

// KindsOf returns the index of colour and glyph for each of the ascending labels.
func KindsOf(labels []int) []int {
	var kinds []int
	for k, label := range labels {
		kind := label
		switch {
		case signed(labels):
			kind = (label + 1) / 2
		case labels[0] < 0 || labels[len(labels)-1] >= ClassLooks:
			kind = k
		}
		kinds = append(kinds, kind%ClassLooks)
	}
	return kinds
}

// signed reports whether every label is -1 or +1.
func signed(labels []int) bool {
	return !slices.ContainsFunc(labels, func(y int) bool { return y != -1 && y != 1 })
}

// ColourOf returns the colour of class k.
func (l *Groups) ColourOf(k int) color.Color { return l.Paint(NthHue(ClassHue(l.Kinds[k]))) }

// Diameter returns the diameter of the glyphs in points: the more samples, the smaller.
func (l *Groups) Diameter() float64 {
	switch n := len(l.Y); {
	case n <= 100:
		return 7.5
	case n <= 500:
		return 5.5
	}
	return 4
}

// Index returns the index of sample i's class in l.labels.
func (l *Groups) Index(i int) int {
	k, _ := slices.BinarySearch(l.Labels, l.Y[i])
	return k
}

// NameOf returns the name of class k, or its label if it has none.
func (l *Groups) NameOf(k int) string {
	switch y := l.Labels[k]; {
	case len(l.Names) > 0 && l.Names[k] != "":
		return l.Names[k]
	case signed(l.Labels) && y > 0:
		return "y = +1"
	case y < 0:
		return fmt.Sprintf("y = −%d", -y)
	default:
		return fmt.Sprintf("y = %d", y)
	}
}

// Entries returns an entry of the legend for each class that is not named "".
func (l *Groups) Entries() []Entry {
	var es []Entry
	for k := range l.Labels {
		if len(l.Names) > 0 && l.Names[k] == "" {
			continue
		}
		es = append(es, Named(l.NameOf(k), func(c *draw.Canvas, at vg.Point, _ vg.Length) {
			Mark(c, l.Kinds[k], at, max(KeyMark, l.Radius(7)), l.ColourOf(k))
		})...)
	}
	if n := len(l.Labels); n > ClassLooks && len(es) > 0 {
		es = append(es, repetition(ClassLooks))
	}
	return es
}

// repetition returns an entry of the legend that says from where on looks are used again.
func repetition(after int) Entry {
	return Entry{Name: fmt.Sprintf("(looks repeat after %d)", after), Sign: func(*draw.Canvas, vg.Point, vg.Length) {}}
}

// Sizes returns the number of samples in each class.
func (l *Groups) Sizes() []int {
	n := make([]int, len(l.Labels))
	for _, y := range l.Y {
		k, _ := slices.BinarySearch(l.Labels, y)
		n[k]++
	}
	return n
}

// Alt describes the classes in words.
func (l *Groups) Alt() string {
	var parts []string
	for k, n := range l.Sizes() {
		kind := l.Kinds[k]
		shape, holed := Form(kind)
		look := glyphNames[shape]
		if l.Color == nil {
			look = HueNames[ClassHue(kind)] + " " + look
		}
		if holed {
			look += " with a hole"
		}
		parts = append(parts, fmt.Sprintf("%d with %s (%s)", n, Spoken(l.NameOf(k)), look))
	}
	return Count(len(l.Y), "point", "points") + ": " + strings.Join(parts, ", ")
}
