package plotting

import (
	"fmt"
	"strings"
)

// Alt describes the figure in words, for readers who can't see it: its title, its layers
// in order, and its axes.
func (f *Figure) Alt() string { return f.view().alt() }

func (v *view) alt() string {
	var parts []string
	for _, l := range v.layers {
		if t, ok := l.(telling); ok {
			if s := t.alt(); s != "" {
				parts = append(parts, s)
			}
		}
	}
	s := "Figure"
	if v.title != "" {
		s += " “" + spoken(v.title) + "”"
	}
	if len(parts) > 0 {
		s += ": " + strings.Join(parts, "; ")
	}
	s += "."
	if v.bare || v.traits.image {
		return s
	}
	s += " " + v.x.alt("x") + ", " + v.y.alt("y")
	if v.equal && !v.fixed {
		s += "; equal scales make one of them longer" // see widen: by how much depends on the canvas
	}
	return s + "."
}

func (a *axis) alt(which string) string {
	s := which
	if a.label != "" {
		s = spoken(a.label)
	}
	s += " " + fromTo(a.min, a.max)
	if a.log {
		s += " (logarithmic)"
	}
	return s
}

// Alt describes the panels in words.
func (p *Panels) Alt() string {
	var parts []string
	for i, v := range p.sheet().views {
		parts = append(parts, fmt.Sprintf("Panel %d of %d. %s", i+1, len(p.figs), v.alt()))
	}
	return strings.Join(parts, "\n")
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// called returns a name in quotes for a text alternative, or nothing.
func called(name string) string {
	if name == "" {
		return ""
	}
	return " “" + spoken(name) + "”"
}
