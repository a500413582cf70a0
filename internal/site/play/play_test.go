package main

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

// Each preset of each playground is drawn, has numbers, and no note that there is no model.
func TestPresets(t *testing.T) {
	ids := map[string]bool{}
	for _, p := range playgrounds {
		if ids[p.ID] {
			t.Errorf("two playgrounds have the id %s", p.ID)
		}
		ids[p.ID] = true
		for i := range p.Presets {
			s := newSession(p)
			a := s.Handle(Event{Do: "preset", Name: p.Presets[i].Name})
			if a.Preset != p.Presets[i].Name || len(a.Numbers) == 0 || strings.HasPrefix(a.Note, "There is no model") || strings.HasPrefix(a.Note, "The figure could not") {
				t.Errorf("%s/%s: %d numbers, note %q", p.ID, p.Presets[i].Name, len(a.Numbers), a.Note)
			}
			for _, q := range s.now.Points {
				if q.X < s.axes.x0 || q.X > s.axes.x1 || q.Y < s.axes.y0 || q.Y > s.axes.y1 {
					t.Errorf("%s/%s: %v is outside of the axes", p.ID, p.Presets[i].Name, q)
					break
				}
			}
			checkXML(t, a.SVG)
		}
	}
	if len(ids) != 11 {
		t.Errorf("%d playgrounds, want the eleven of the site", len(ids))
	}
}

// checkXML checks that a page's parser takes the figure.
func checkXML(t *testing.T, svg string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("the figure is no XML: %v", err)
		}
	}
}

// Scenes without a model are drawn, with a note: no points, one point, one class, all points in
// one place.
func TestPoorScenes(t *testing.T) {
	for _, p := range playgrounds {
		other := p.Classes[len(p.Classes)-1]
		for what, ps := range map[string][]Point{
			"no points": {}, "one point": {{0.5, 0.5, p.Classes[0]}}, "one class": {{0, 0, other}, {1, 1, other}, {0.5, 1, other}},
			"one place": {{0.5, 0.5, p.Classes[0]}, {0.5, 0.5, other}, {0.5, 0.5, other}, {0.5, 0.5, p.Classes[0]}},
		} {
			s := newSession(p)
			s.now.Points = ps
			if a := s.Handle(Event{Do: "rest"}); a.SVG == "" || a.Note == "" && len(a.Numbers) == 0 || strings.HasPrefix(a.Note, "The figure could not") {
				t.Errorf("%s, %s: note %q, %d numbers", p.ID, what, a.Note, len(a.Numbers))
			}
		}
	}
}

// The numbers of presets that a lecture prints.
func TestNumbersOfTheLectures(t *testing.T) {
	all := numbers()
	for name, want := range map[string]float64{
		// CMU's worked example ends at w = (3, 1) (datasets.CMUSix); a score of 0 is a mistake
		// here, so the way there differs and w may have another length: the line separates.
		"perceptron/cmu: points on the wrong side": 0,
		// Theodoridis, example 3.2: w = (−1, 1), b = 0 (datasets.TheodoridisFour).
		"perceptron/theodoridis: w₁": -1, "perceptron/theodoridis: w₂": 1, "perceptron/theodoridis: b": 0,
		// The least squares solution of the ten points is (−3.218, 0.241, 1.431).
		"least-squares/ten: w₁": -3.218, "least-squares/ten: w₂": 0.241, "least-squares/ten: b": 1.431,
		// Lecture 4, slack-kinds and slack-figure with C = 1: 7 points hold the street.
		"margin/overlap: support vectors": 7, "margin/overlap: C": 1,
		// Lecture 6: the best J of the petals with three clusters is 31.371.
		"k-means/petals: J at the end": 31.371,
	} {
		got, there := all[name]
		if !there || math.Abs(got-want) > 5e-4 {
			t.Errorf("%s is %g (there %v), want %g", name, got, there, want)
		}
	}
	if primal, dual := all["margin/overlap: primal"], all["margin/overlap: dual"]; math.Abs(primal-dual) > 1e-6 {
		t.Errorf("primal %g and dual %g", primal, dual)
	}
}
