package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A State is what a reader can change, undo and send as a link.
type State struct {
	Preset    *Preset
	Points    []Point
	Positions map[string]float64 // of all knobs
}

// start returns the state of a preset.
func (p *Playground) start(preset *Preset) State {
	s := State{preset, preset.Data(), map[string]float64{}}
	for _, k := range p.Knobs {
		s.Positions[k.Name] = k.Start
	}
	maps.Copy(s.Positions, preset.Knobs)
	return s
}

func (s State) clone() State {
	return State{s.Preset, slices.Clone(s.Points), maps.Clone(s.Positions)}
}

func (s State) equal(t State) bool {
	return s.Preset == t.Preset && slices.Equal(s.Points, t.Points) && maps.Equal(s.Positions, t.Positions)
}

// most is the number of points that a playground takes.
const most = 400

// link writes a state as the fragment of an address: the preset, the knobs that differ from
// it, and the points that differ from it. These stand between the first keep and the last tail
// points of the preset:
//
//	perceptron&preset=cmu&rate=0.5&keep=2&tail=3&points=1,2,-1;0.5,0,1
func (p *Playground) link(s State) string {
	from := p.start(s.Preset)
	parts := []string{p.ID, "preset=" + s.Preset.Name}
	for _, k := range p.Knobs {
		if v := s.Positions[k.Name]; v != from.Positions[k.Name] {
			parts = append(parts, k.Name+"="+plain(v))
		}
	}
	if !slices.Equal(s.Points, from.Points) {
		short := min(len(s.Points), len(from.Points))
		keep, tail := 0, 0
		for keep < short && s.Points[keep] == from.Points[keep] {
			keep++
		}
		for tail < short-keep && s.Points[len(s.Points)-1-tail] == from.Points[len(from.Points)-1-tail] {
			tail++
		}
		var own []string
		for _, q := range s.Points[keep : len(s.Points)-tail] {
			own = append(own, plain(q.X)+","+plain(q.Y)+","+strconv.Itoa(q.Class))
		}
		parts = append(parts, fmt.Sprintf("keep=%d", keep), fmt.Sprintf("tail=%d", tail), "points="+strings.Join(own, ";"))
	}
	return strings.Join(parts, "&")
}

// plain writes a number with all its digits.
func plain(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// parse reads a link. ours is false if it belongs to something else in the page. The error says
// what is wrong with a link of this playground.
func (p *Playground) parse(link string) (s State, ours bool, err error) {
	id, rest, _ := strings.Cut(link, "&")
	if id != p.ID {
		return s, false, nil
	}
	fields := map[string]string{}
	for part := range strings.SplitSeq(rest, "&") {
		if part == "" {
			continue
		}
		name, value, found := strings.Cut(part, "=")
		if _, twice := fields[name]; twice || !found {
			return s, true, fmt.Errorf("%q: want each setting once, as name=value", clip(part))
		}
		fields[name] = value
	}
	take := func(name string) string {
		v := fields[name]
		delete(fields, name)
		return v
	}
	preset := p.preset(take("preset"))
	if preset == nil {
		return s, true, fmt.Errorf("the link names no preset of this playground")
	}
	s = p.start(preset)
	if s.Points, err = spliced(s.Points, take("keep"), take("tail"), take("points"), p.Classes); err != nil {
		return s, true, err
	}
	for i := range p.Knobs {
		k := &p.Knobs[i]
		text, given := fields[k.Name]
		if !given {
			continue
		}
		delete(fields, k.Name)
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || !k.admits(v) {
			return s, true, fmt.Errorf("%s = %q, want a number from %g to %g", k.Name, clip(text), k.Min, k.Max)
		}
		s.Positions[k.Name] = v
	}
	for name := range fields {
		return s, true, fmt.Errorf("this playground has no setting %q", clip(name))
	}
	return s, true, nil
}

// preset returns a preset by its name, nil if there is none.
func (p *Playground) preset(name string) *Preset {
	i := slices.IndexFunc(p.Presets, func(q Preset) bool { return q.Name == name })
	if i < 0 {
		return nil
	}
	return &p.Presets[i]
}

// spliced replaces the points of a preset between the first keep and the last tail ones. All
// three fields are empty if the points are those of the preset.
func spliced(from []Point, keep, tail, list string, classes []int) ([]Point, error) {
	if keep == "" && tail == "" && list == "" {
		return from, nil
	}
	k, err1 := strconv.Atoi(keep)
	t, err2 := strconv.Atoi(tail)
	if err1 != nil || err2 != nil || k < 0 || t < 0 || k > len(from) || t > len(from)-k {
		return nil, fmt.Errorf("keep = %q, tail = %q, want numbers of points, at most %d together", clip(keep), clip(tail), len(from))
	}
	out := slices.Clone(from[:k])
	for text := range strings.SplitSeq(list, ";") {
		if text == "" {
			continue
		}
		if len(out)+t >= most {
			return nil, fmt.Errorf("more than %d points", most)
		}
		q, err := parsePoint(text, classes)
		if err != nil {
			return nil, err
		}
		out = append(out, q)
	}
	return append(out, from[len(from)-t:]...), nil
}

// parsePoint reads x,y,class.
func parsePoint(text string, classes []int) (q Point, err error) {
	parts := strings.Split(text, ",")
	if len(parts) == 3 {
		var errX, errY, errC error
		q.X, errX = strconv.ParseFloat(parts[0], 64)
		q.Y, errY = strconv.ParseFloat(parts[1], 64)
		q.Class, errC = strconv.Atoi(parts[2])
		if errX == nil && errY == nil && errC == nil && math.Abs(q.X) <= far && math.Abs(q.Y) <= far && slices.Contains(classes, q.Class) {
			return q, nil
		}
	}
	return q, fmt.Errorf("the point %q, want x,y,class with a class among %v", clip(text), classes)
}

// far bounds the coordinates of a link.
const far = 1e4

// clip shortens a text of a link for a message.
func clip(text string) string {
	if r := []rune(text); len(r) > 30 {
		return string(r[:30]) + "…"
	}
	return text
}
