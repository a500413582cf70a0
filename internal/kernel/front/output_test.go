//go:build unix

package main

import (
	"fmt"
	"testing"

	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/notebook/excerpt"
)

// What a cell prints keeps its order, also with regard to displays, and comes before the cell
// is idle.
func TestOrder(t *testing.T) {
	p := connect(t, serveFake(t))
	id := p.execute("mixed")
	order := ""
	for m := (jupyter.Message{}); !jupyter.IsIdle(m); {
		m = p.next(func(m jupyter.Message) bool { return m.Parent.ID == id })
		var c struct {
			Text string
			Data map[string]string
		}
		if err := m.Decode(&c); err != nil {
			t.Fatal(err)
		}
		order += c.Text + c.Data["text/plain"]
	}
	if want := "out 1 out 2 err 3 out 4 shown out 5 err 6 "; order != want {
		t.Errorf("until the cell was idle came %q, want %q", order, want)
	}
}

// Pieces of one stream become one message. Where a program turns from one stream to the other
// again and again, it becomes one message of each.
func TestMerge(t *testing.T) {
	s, o := newOutputs(), &output{}
	for i := range 10 {
		s.add(o, "stdout", fmt.Sprint(i))
		s.add(o, "stdout", "")
	}
	s.add(o, "stderr", "e")
	s.add(o, "stdout", "f")
	if got := fmt.Sprintf("%s", o.parts); got != "[{stdout 0123456789} {stderr e} {stdout f}]" || len(s.unsent) != 1 || s.due == nil {
		t.Errorf("%s of %d cells wait for %v", got, len(s.unsent), s.due)
	}
	for range 100 * mostTurns {
		s.add(o, "stdout", "a")
		s.add(o, "stderr", "b")
	}
	if len(o.parts) > mostTurns+1 {
		t.Errorf("%d messages, want %d at most", len(o.parts), mostTurns+1)
	}
	size := 0
	for _, part := range o.parts {
		size += len(part.text)
	}
	if size != 12+200*mostTurns {
		t.Errorf("%d bytes, want %d", size, 12+200*mostTurns)
	}
}

// Of a text that a page can't show an excerpt is sent, unless a client wants all.
func TestExcerpt(t *testing.T) {
	const n = 120000
	for setting, want := range map[string]string{"": excerpt.Of(lines(n)), "whole": lines(n)} {
		t.Setenv(wholeOutput, setting)
		p := connect(t, serveFake(t))
		if text, reply := p.ends(p.execute(fmt.Sprint("lines ", n))); text != want || reply["status"] != "ok" {
			t.Errorf("%q: %d bytes with the reply %v, want %d", setting, len(text), reply, len(want))
		}
	}
}
