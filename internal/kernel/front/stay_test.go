//go:build unix

package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"marginalia/internal/cell/display"
	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/kernel/jupyter/jupytertest"
	"marginalia/internal/testkit/must"
)

// A page is a client of a kernel with sliders.
type page struct {
	*jupyter.Link
	t     testing.TB
	heard []heard // and not asked for yet
}

// heard is what the kernel has said to the comm of a slider.
type heard struct {
	comm string
	Live *bool
	Why  string
	SVG  string  `json:"svg"`
	Err  string  `json:"error"`
	At   float64 `json:"value"`
}

// next returns the next message of the kernel.
func (p *page) next() jupyter.Message {
	p.t.Helper()
	select {
	case m := <-p.Messages:
		var c struct {
			ID   string `json:"comm_id"`
			Data heard
		}
		if m.Header.Type == "comm_msg" && m.Decode(&c) == nil {
			c.Data.comm = c.ID
			p.heard = append(p.heard, c.Data)
		}
		return m
	case <-p.Ended():
		p.t.Fatal(p.Death())
	case <-time.After(5 * time.Minute):
		p.t.Fatal("the kernel says nothing for five minutes")
	}
	return jupyter.Message{}
}

// hears returns what the kernel says next to a comm.
func (p *page) hears(comm string) heard {
	p.t.Helper()
	for {
		if i := slices.IndexFunc(p.heard, func(h heard) bool { return h.comm == comm }); i >= 0 {
			h := p.heard[i]
			p.heard = slices.Delete(p.heard, i, i+1)
			return h
		}
		p.next()
	}
}

// run runs a cell and returns what it prints, and its error.
func (p *page) run(code string) (text, failed string) {
	p.t.Helper()
	return p.ends(p.execute(code))
}

// execute sends a cell.
func (p *page) execute(code string) (id string) {
	p.t.Helper()
	id, err := p.Request(jupyter.Shell, "execute_request", map[string]any{"code": code, "allow_stdin": false})
	if err != nil {
		p.t.Fatal(err)
	}
	return id
}

// ends waits until a cell has ended.
func (p *page) ends(id string) (text, failed string) {
	p.t.Helper()
	replied, idle := false, false
	for !replied || !idle {
		m := p.next()
		if m.Parent.ID != id {
			continue
		}
		var c struct{ Text, EValue string }
		must.Do(p.t, m.Decode(&c))
		replied = replied || m.Header.Type == "execute_reply"
		idle = idle || jupyter.IsIdle(m)
		text += c.Text
		if m.Header.Type == "error" {
			failed = c.EValue
		}
		if m.Header.Type == "display_data" && strings.Contains(string(m.Content), display.StayType) {
			p.t.Errorf("the page is shown what is meant for the kernel: %s", m.Content)
		}
	}
	return text, failed
}

// openPage starts a kernel with env in its environment.
func openPage(t testing.TB, env ...string) *page {
	t.Helper()
	spec := jupytertest.Spec(t)
	spec.Env = append(spec.Env, env...)
	link := must.Get(jupyter.Open(t.Context(), spec)).Or(t)
	return &page{Link: link, t: t}
}

func (p *page) send(kind, comm string, data map[string]any) {
	p.t.Helper()
	if _, err := p.Request(jupyter.Shell, kind, map[string]any{"comm_id": comm, "target_name": "marginalia.slider", "data": data}); err != nil {
		p.t.Fatal(err)
	}
}

// open opens a comm for a slider, with the slider's name as its id.
func (p *page) open(slider string) { p.send("comm_open", slider, map[string]any{"slider": slider}) }

// live checks that the kernel says next that a slider is live, or is not, and why.
func (p *page) live(slider string, want bool, why string) {
	p.t.Helper()
	if h := p.hears(slider); h.Live == nil || *h.Live != want || !strings.Contains(h.Why, why) {
		p.t.Errorf("%s: %+v, want live: %v with %q", slider, h, want, why)
	}
}

// moves moves a slider and returns the answer.
func (p *page) moves(slider string, to float64) heard {
	p.t.Helper()
	p.send("comm_msg", slider, map[string]any{"value": to})
	h := p.hears(slider)
	if h.At != to {
		p.t.Errorf("%s: %+v, want the frame at %v", slider, h, to)
	}
	return h
}

// slides is a cell with a slider whose figures show k.
func slides(name string, k int) string {
	return fmt.Sprintf(`import ("fmt"; "marginalia/plotting")

%%%%
k, kept := %d, []byte(nil)
plotting.Slide(%q, plotting.Slider{Label: "a", Max: 10}, func(a float64) plotting.Drawing {
	if a == 9.05 { panic("nine") } // between steps, so no stored frame has it
	if a == 8.05 { kept = make([]byte, 900<<20) }
	return plotting.New(fmt.Sprintf("k=%%d at %%g", k, a), plotting.Points(nil, []float64{a, 1}))
})
k++ // before main returns, so frames show it
_ = kept
fmt.Println("shown")
`, k, name)
}

// A program that shows sliders serves them after its cell, with the state in which main left
// it, while the kernel runs other cells.
func TestSlidersStay(t *testing.T) {
	marker := jupytertest.Marker()
	p := openPage(t, marker, display.SlidersEnv+"=2")
	defer jupytertest.AwaitNoStrays(t, marker)
	defer p.Shutdown()
	shown := func(name string, k int) {
		t.Helper()
		if text, failed := p.run(slides(name, k)); text != "shown\n" || failed != "" {
			t.Fatalf("the cell of %s prints %q and fails with %q", name, text, failed)
		}
	}

	p.open("one")
	shown("one", 1)
	p.live("one", true, "")
	if text, _ := p.run("%%\nfmt.Println(\"next\")"); text != "next\n" {
		t.Errorf("the next cell prints %q", text)
	}
	for _, a := range []float64{0.25, 7} {
		if h := p.moves("one", a); !strings.Contains(h.SVG, fmt.Sprintf("k=2 at %g", a)) || h.Err != "" {
			t.Errorf("moved to %v: error %q, frame %.2000s", a, h.Err, h.SVG)
		}
	}
	if h := p.moves("one", 9.05); h.Err != "panic: nine" {
		t.Errorf("a frame that panics: %+v", h)
	}

	// A page that comes later moves the slider, too.
	p.send("comm_open", "later", map[string]any{"slider": "one"})
	p.live("later", true, "")
	if h := p.moves("later", 3); !strings.Contains(h.SVG, "k=2 at 3") {
		t.Errorf("a second page: error %q, frame %.200s", h.Err, h.SVG)
	}
	p.send("comm_close", "later", nil)

	// The cell runs again: the newer program takes over.
	shown("one", 10)
	p.live("one", false, "")
	p.live("one", true, "")
	if h := p.moves("one", 3); !strings.Contains(h.SVG, "k=11 at 3") {
		t.Errorf("after the cell ran again: error %q, frame %.200s", h.Err, h.SVG)
	}

	// Two programs may stay: the third takes the place of the oldest.
	p.open("two")
	shown("two", 2)
	p.live("two", true, "")
	shown("three", 3)
	p.live("one", false, display.SlidersEnv)
	p.send("comm_msg", "one", map[string]any{"value": 1})
	p.live("one", false, "")
	if h := p.moves("two", 1); !strings.Contains(h.SVG, "k=3 at 1") {
		t.Errorf("two of three: error %q, frame %.200s", h.Err, h.SVG)
	}

	// Memory is limited.
	p.send("comm_msg", "two", map[string]any{"value": 8.05})
	for h := p.hears("two"); h.Live == nil || *h.Live || !strings.Contains(h.Why, display.SliderMemoryEnv); h = p.hears("two") {
		if h.Live != nil {
			t.Errorf("a frame that takes 900 MB: %+v", h)
		}
	}

	// A program that panics does not stay, and its error is that of any cell.
	p.open("panics")
	const slide = `plotting.Slide(%q, plotting.Slider{Max: 1}, func(float64) plotting.Drawing { return plotting.New("") })`
	text, failed := p.run("import \"marginalia/plotting\"\n\n%%\n" + fmt.Sprintf(slide, "panics") + "\npanic(\"no\")")
	if !strings.Contains(text, "panic: no\n") || strings.Contains(text, "marginaliaStays") || failed != "exit status 2" {
		t.Errorf("a program that panics prints %q and fails with %q", text, failed)
	}
	p.send("comm_msg", "panics", map[string]any{"value": 1})
	p.live("panics", false, "")

	// Nor does one whose main has code on its first line: an edit would move the columns there.
	p.open("one-line")
	if text, failed := p.run("func main() { " + fmt.Sprintf(slide, "one-line") + " }"); text != "" || failed != "" {
		t.Errorf("a main of one line prints %q and fails with %q", text, failed)
	}
	p.send("comm_msg", "one-line", map[string]any{"value": 1})
	p.live("one-line", false, "")

	// On the line of main, too, columns in errors are those of the cell.
	if text, failed := p.run("func main() { x := 1 }"); !strings.Contains(text+failed, ":15") {
		t.Errorf("an error in column 15: %q, %q", text, failed)
	}
}
