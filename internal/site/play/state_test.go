package main

import (
	"strings"
	"testing"
)

// A link leads to the state that it was made of: presets, moved, added and removed points, knobs.
func TestLink(t *testing.T) {
	for _, p := range playgrounds {
		for i := range p.Presets {
			s := newSession(p)
			s.now = p.start(&p.Presets[i])
			s.answer(false, "") // finds the axes
			check := func(what string) {
				t.Helper()
				link := p.link(s.now)
				got, ours, err := p.parse(link)
				if !ours || err != nil || !got.equal(s.now) {
					t.Errorf("%s/%s, %s: %s leads to ours %v, error %v, another state", p.ID, p.Presets[i].Name, what, link, ours, err)
				}
			}
			check("the preset")
			if want := p.ID + "&preset=" + p.Presets[i].Name; p.link(s.now) != want {
				t.Errorf("%q, want %q: a preset takes no more", p.link(s.now), want)
			}
			s.selected = 1
			s.Handle(Event{Do: "key", Name: "ArrowUp"})
			check("a moved point")
			s.Handle(Event{Do: "add"})
			check("a point more")
			s.selected = 0
			s.Handle(Event{Do: "remove"})
			check("a point less")
			for k := range p.Knobs {
				s.Handle(Event{Do: "knob", Name: p.Knobs[k].Name, Value: p.Knobs[k].Max})
			}
			check("other settings")
			s.now.Points = nil
			check("no points")
		}
	}
}

// A link may be written by anybody. What is no state of the playground is an error, and the
// reader's own state stays.
func TestHostileLinks(t *testing.T) {
	for link, want := range map[string]string{
		"perceptron":                                                                           "names no preset",
		"perceptron&preset=none":                                                               "names no preset",
		"perceptron&preset=cmu&preset=cmu":                                                     "want each setting once",
		"perceptron&preset=cmu&step":                                                           "want each setting once",
		"perceptron&preset=cmu&step=-1":                                                        "want a number from 0 to 2000",
		"perceptron&preset=cmu&step=NaN":                                                       "want a number from 0 to 2000",
		"perceptron&preset=cmu&bias=0.5":                                                       "want a number from 0 to 1",
		"perceptron&preset=cmu&speed=1":                                                        "no setting",
		"perceptron&preset=cmu&keep=7&tail=0&points=":                                          "at most 6 together",
		"perceptron&preset=cmu&keep=6&tail=1&points=":                                          "at most 6 together",
		"perceptron&preset=cmu&keep=0&points=":                                                 "at most 6 together",
		"perceptron&preset=cmu&keep=0&tail=0&points=1":                                         "want x,y,class",
		"perceptron&preset=cmu&keep=0&tail=0&points=1,":                                        "want x,y,class",
		"perceptron&preset=cmu&keep=0&tail=0&points=1,Inf,1":                                   "want x,y,class",
		"perceptron&preset=cmu&keep=0&tail=0&points=1,1e5,1":                                   "want x,y,class",
		"perceptron&preset=cmu&keep=0&tail=0&points=1,1,3":                                     "a class among [-1 1]",
		"perceptron&preset=cmu&keep=0&tail=0&points=" + strings.Repeat("1,1,1;", 401):          "more than 400 points",
		"perceptron&preset=cmu&<img src=x>=1":                                                  "no setting",
		"perceptron&preset=cmu&keep=0&tail=0&points=" + strings.Repeat("<script>", 1000) + ";": "want x,y,class",
	} {
		s := newSession(playgrounds[0])
		before := s.now.clone()
		a := s.Handle(Event{Do: "open", Text: "#" + link})
		if !strings.Contains(a.Said, want) || len(a.Said) > 300 {
			t.Errorf("%.60s: it says %q, want %q in a short sentence", link, a.Said, want)
		}
		if !s.now.equal(before) || a.Undo {
			t.Errorf("%.60s: it changes the state", link)
		}
	}
	s := newSession(playgrounds[0])
	for _, link := range []string{"", "#", "#summary", "#pocket&preset=xor"} { // of other things in the page
		if a := s.Handle(Event{Do: "open", Text: link}); a.Said != "" || a.Undo {
			t.Errorf("%q: it says %q", link, a.Said)
		}
	}
}

// Whatever a link holds, parse returns a state that can be drawn, or an error.
func FuzzParse(f *testing.F) {
	for _, p := range playgrounds {
		for i := range p.Presets {
			f.Add(p.link(p.start(&p.Presets[i])))
		}
	}
	f.Add("perceptron&preset=cmu&step=5&keep=2&tail=3&points=1,2,-1;0.5,0,1")
	f.Add("margin&preset=overlap&C=-2&keep=0&tail=0&points=0,0,1;0,0,-1")
	f.Add("lda&preset=even&keep=0&tail=0&points=0,0,1;0,1,-1")
	f.Add("degree&preset=ten&degree=12&keep=0&tail=0&points=0,0,0;0,1,0")
	f.Add("k-means&preset=rings&k=6&keep=0&tail=0&points=1,1,0;1,1,0;1,1,0;1,1,0;1,1,0;1,1,0;1,1,0")
	f.Add("spectral&preset=few&nearest=2&k=5&keep=9&tail=0&points=")
	f.Fuzz(func(t *testing.T, link string) {
		for _, p := range playgrounds {
			state, ours, err := p.parse(link)
			if !ours || err != nil {
				continue
			}
			if len(state.Points) > most {
				t.Fatalf("%d points", len(state.Points))
			}
			if len(state.Points) > 60 {
				continue // slow, and no other code
			}
			s := newSession(p)
			if a := s.Handle(Event{Do: "open", Text: link}); strings.HasPrefix(a.Note, "The figure could not be drawn") {
				t.Fatalf("%s: %s", link, a.Note)
			}
		}
	})
}
