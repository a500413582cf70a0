//go:build unix

package main

import (
	"os"
	"slices"
	"strings"
	"time"

	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/notebook/excerpt"
)

// GoNB sends what a program prints as it reads it, in thousands of messages, and a page draws
// its output anew for each. So what comes within mergeTime is sent together, and of more than
// one MiB only an excerpt (package excerpt).

const (
	mergeTime = 100 * time.Millisecond

	// mostTurns is how often a cell may turn from stdout to stderr or back before the two are
	// merged apart from each other: each turn is an output of its own on the page.
	mostTurns = 1000
)

// wholeOutput is an environment variable. If it is "whole", clients get all that cells print.
const wholeOutput = "MARGINALIA_OUTPUT"

// outputs are what cells print, also after they have ended.
type outputs struct {
	of     map[string]*output // by the id of the cell's request
	unsent []*output
	due    <-chan time.Time // when to send them; nil if there are none
	whole  bool
}

func newOutputs() outputs {
	return outputs{of: map[string]*output{}, whole: os.Getenv(wholeOutput) == "whole"}
}

// An output is what one cell prints.
type output struct {
	to     jupyter.Message // the cell's request
	stdout excerpt.Text
	stderr excerpt.Text
	torn   bool   // what was printed last to stderr has no end of its line
	parts  []part // to be sent
	turns  int
}

// A part is text of one stream.
type part struct {
	name string
	text []byte
}

// print takes text that a cell prints.
func (f *front) print(cell jupyter.Message, name, text string) {
	o := f.outputs.of[cell.Header.ID]
	if o == nil {
		o = &output{to: cell}
		f.outputs.of[cell.Header.ID] = o
	}
	if name == "stderr" && text != "" {
		o.torn = !strings.HasSuffix(text, "\n")
	}
	if !f.outputs.whole {
		text = o.text(name).Add(text)
	}
	f.outputs.add(o, name, text)
}

func (o *output) text(name string) *excerpt.Text {
	if name == "stderr" {
		return &o.stderr
	}
	return &o.stdout
}

// add adds text to the parts that will be sent.
func (s *outputs) add(o *output, name, text string) {
	if text == "" {
		return
	}
	if len(o.parts) == 0 {
		s.unsent = append(s.unsent, o)
	}
	if s.due == nil {
		s.due = time.After(mergeTime)
	}
	i := len(o.parts) - 1
	if o.turns > mostTurns {
		i = slices.IndexFunc(o.parts, func(p part) bool { return p.name == name })
	}
	if i < 0 || o.parts[i].name != name {
		i = len(o.parts)
		o.parts = append(o.parts, part{name: name})
		o.turns++
	}
	o.parts[i].text = append(o.parts[i].text, text...)
}

// send sends what all cells have printed.
func (s *outputs) send(f *front) {
	for _, o := range s.unsent {
		for _, p := range o.parts {
			f.say(o.to, jupyter.IOPub, "stream", map[string]any{"name": p.name, "text": string(p.text)})
		}
		o.parts = nil
	}
	s.unsent, s.due = nil, nil
}

// end sends the ends of a cell's texts, too.
func (s *outputs) end(f *front, id string) {
	if o := s.of[id]; o != nil {
		s.add(o, "stdout", o.stdout.End())
		s.add(o, "stderr", o.stderr.End())
	}
	s.send(f)
}
