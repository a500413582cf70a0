//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"net"
	"path/filepath"
	"testing"

	"marginalia/internal/cell/display"
	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/testkit/must"
)

// A testProgram stands in for the program of a cell.
type testProgram struct {
	net.Conn
	enc *json.Encoder
	dec *json.Decoder
}

// staying runs a cell whose program stays, and returns the program.
func staying(t *testing.T, p *peer, sliders string) testProgram {
	t.Helper()
	conn, _ := place(t)
	socket := filepath.Join(filepath.Dir(conn.IP), "s")
	l := must.Get(net.Listen("unix", socket)).Or(t)
	p.ends(p.execute("stay " + socket + " " + sliders))
	c := must.Get(l.Accept()).Or(t)
	t.Cleanup(func() { c.Close() })
	return testProgram{c, json.NewEncoder(c), json.NewDecoder(c)}
}

func (s testProgram) move(t *testing.T) (m display.Move) {
	t.Helper()
	must.Do(t, s.dec.Decode(&m))
	return m
}

type comm struct {
	ID   string `json:"comm_id"`
	Data map[string]any
}

// told checks what the front says next to a comm.
func told(t *testing.T, p *peer, id, want string) {
	t.Helper()
	var c comm
	m := p.next(func(m jupyter.Message) bool {
		c = comm{}
		return m.Header.Type == "comm_msg" && m.Decode(&c) == nil && c.ID == id
	})
	if got := fmt.Sprint(c.Data); got != want || m.Channel != jupyter.IOPub {
		t.Errorf("comm %s is told %s, want %s", id, got, want)
	}
}

// Pages and programs hear of each other what sliderTarget says, and nothing else gets through.
func TestSliders(t *testing.T) {
	t.Setenv(display.SlidersEnv, "2")
	p := connect(t, serveFake(t))
	send := func(kind, id, rest string) string {
		return p.send(jupyter.Shell, kind, fmt.Sprintf(`{"comm_id":%q,"target_name":"marginalia.slider","data":{%s}}`, id, rest))
	}
	echo := func(id string) { // GoNB has got the message: the fake one publishes it
		t.Helper()
		p.next(func(m jupyter.Message) bool { return m.Header.ID == id })
	}
	p.until("status", send("comm_open", "c1", `"slider":"a"`)) // idle, though there is no server yet
	one := staying(t, p, "a b")
	told(t, p, "c1", "map[live:true]")
	send("comm_open", "c2", `"slider":"b"`)
	told(t, p, "c2", "map[live:true]")

	send("comm_msg", "c1", `"value":0.5`)
	if m := one.move(t); m != (display.Move{Slider: "a", Value: 0.5, By: "c1"}) {
		t.Errorf("%+v", m)
	}
	send("comm_msg", "c2", `"value":-3`)
	if m := one.move(t); m != (display.Move{Slider: "b", Value: -3, By: "c2"}) {
		t.Errorf("%+v", m)
	}
	for _, f := range []display.Frame{
		{Slider: "b", Value: -3, By: "c2", SVG: "<svg/>"},
		{Slider: "a", Value: 0.5, By: "gone", SVG: "<svg/>"}, // its page has closed the comm
		{Slider: "a", Value: 0.5, By: "c1", Error: "no"},
	} {
		must.Do(t, one.enc.Encode(f))
	}
	told(t, p, "c2", "map[svg:<svg/> value:-3]")
	told(t, p, "c1", "map[error:no value:0.5]")

	// The front passes comms of other targets to GoNB, and drops values that are not numbers.
	other := send("comm_msg", "unknown", `"value":1`)
	echo(other)
	send("comm_msg", "c1", `"value":"1"`)
	send("comm_msg", "c1", `"value":1`)
	if m := one.move(t); m.Value != 1 {
		t.Errorf("%+v", m)
	}

	// A program ends without a word.
	two := staying(t, p, "c")
	send("comm_open", "c3", `"slider":"c"`)
	told(t, p, "c3", "map[live:true]")
	two.Close()
	told(t, p, "c3", "map[live:false why:its program has ended]")

	// A program says why it ends.
	two = staying(t, p, "c")
	told(t, p, "c3", "map[live:true]")
	must.Do(t, two.enc.Encode(display.Frame{Error: "too large"}))
	told(t, p, "c3", "map[live:false why:too large]")
	if err := two.dec.Decode(new(display.Move)); err == nil {
		t.Error("a program that has said that it ends is sent more")
	}

	// A third program replaces the oldest, and one with the same slider its predecessor.
	staying(t, p, "c")
	told(t, p, "c3", "map[live:true]")
	staying(t, p, "d")
	told(t, p, "c1", "map[live:false why:the sliders of newer cells have taken its place; see MARGINALIA_SLIDERS]")
	if err := one.dec.Decode(new(display.Move)); err == nil {
		t.Error("the oldest program is kept")
	}
	staying(t, p, "c")
	told(t, p, "c3", "map[live:false why:]")
	told(t, p, "c3", "map[live:true]")

	send("comm_close", "c3", "")
	echo(send("comm_msg", "c3", `"value":1`))
}
