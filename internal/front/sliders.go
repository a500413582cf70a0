//go:build unix

package main

import (
	"encoding/json"
	"net"
	"os"
	"slices"
	"strconv"
	"time"

	"marginalia/internal/display"
	"marginalia/internal/jupyter"
)

// sliderTarget is the target of the comms (Messaging in Jupyter, "Custom Messages") by which
// pages move sliders. A page opens one with {"slider": name} and sends {"value": x}. It gets
// {"live": true} when a program serves the slider, {"live": false, "why": text} when it no
// longer does, and for values {"value": x, "svg": text} or {"value": x, "error": text}.
const sliderTarget = "marginalia.slider"

// sliders are the programs that have stayed for their sliders, and the pages that move them.
type sliders struct {
	most  int       // programs
	stays []*stayed // the oldest first
	comms map[string]*sliderComm
	said  chan sliderSaid
}

// A stayed is a program whose cell has ended.
type stayed struct {
	display.Stay
	cell string // as the client names it; "" if it doesn't
	conn net.Conn
}

func (s *stayed) serves(slider string) bool { return slices.Contains(s.Sliders, slider) }

type sliderComm struct {
	id, slider string
	last       jupyter.Message // of the page
}

// sliderSaid is what a program has said; no frame means that it has ended.
type sliderSaid struct {
	by    *stayed
	frame *display.Frame
}

func newSliders() *sliders {
	most, err := strconv.Atoi(os.Getenv(display.SlidersEnv))
	if err != nil {
		most = display.DefaultSliders
	}
	return &sliders{most: max(most, 0), comms: map[string]*sliderComm{}, said: make(chan sliderSaid)}
}

// slider reports whether a message of a client is about sliders, and takes it then.
func (f *front) slider(m jupyter.Message) bool {
	var c struct {
		ID     string `json:"comm_id"`
		Target string `json:"target_name"`
		Data   json.RawMessage
	}
	if m.Decode(&c) != nil {
		return false
	}
	var data struct {
		Slider string
		Value  *float64
	}
	if json.Unmarshal(c.Data, &data) != nil {
		data.Value = nil
	}
	comm := f.sliders.comms[c.ID]
	switch {
	case m.Header.Type == "comm_open" && c.Target == sliderTarget:
		comm = &sliderComm{id: c.ID, slider: data.Slider, last: m}
		f.sliders.comms[c.ID] = comm
		if f.sliders.of(comm.slider) != nil {
			f.tellComm(comm, map[string]any{"live": true})
		}
	case comm == nil:
		return false
	case m.Header.Type == "comm_msg":
		comm.last = m
		if s := f.sliders.of(comm.slider); s == nil {
			f.tellComm(comm, map[string]any{"live": false, "why": ""})
		} else if data.Value != nil {
			s.send(display.Move{Slider: comm.slider, Value: *data.Value, By: c.ID})
		}
	case m.Header.Type == "comm_close":
		delete(f.sliders.comms, c.ID)
	}
	f.calm(m)
	return true
}

// of returns the program that serves a slider, nil if there is none.
func (s *sliders) of(slider string) *stayed {
	i := slices.IndexFunc(s.stays, func(p *stayed) bool { return p.serves(slider) })
	if i < 0 {
		return nil
	}
	return s.stays[i]
}

func (f *front) tellComm(c *sliderComm, data map[string]any) {
	f.say(c.last, jupyter.IOPub, "comm_msg", map[string]any{"comm_id": c.id, "data": data})
}

// tellSliders tells all pages that show a slider of a program.
func (f *front) tellSliders(of *stayed, data map[string]any) {
	for _, c := range f.sliders.comms {
		if of.serves(c.slider) {
			f.tellComm(c, data)
		}
	}
}

// stay takes over the program of a request, if that is what the display says.
func (f *front) stay(r *request, m jupyter.Message) bool {
	var c struct {
		Data map[string]json.RawMessage
	}
	if m.Decode(&c) != nil || c.Data[display.StayType] == nil {
		return false
	}
	var text string
	s := &stayed{cell: r.CellID()}
	if json.Unmarshal(c.Data[display.StayType], &text) != nil || json.Unmarshal([]byte(text), &s.Stay) != nil {
		return true
	}
	var err error
	if s.conn, err = net.Dial("unix", s.Socket); err != nil {
		return true // it has died
	}
	f.leave("", func(old *stayed) bool { return slices.ContainsFunc(s.Sliders, old.serves) })
	f.sliders.stays = append(f.sliders.stays, s)
	if n := len(f.sliders.stays) - f.sliders.most; n > 0 {
		oldest := f.sliders.stays[:n:n]
		f.leave("the sliders of newer cells have taken its place; see "+display.SlidersEnv, func(p *stayed) bool { return slices.Contains(oldest, p) })
	}
	go s.listen(f.life.Done(), f.sliders.said)
	f.tellSliders(s, map[string]any{"live": true})
	return true
}

// listen passes on what a program says, until it or the kernel ends.
func (s *stayed) listen(end <-chan struct{}, said chan<- sliderSaid) {
	for dec := json.NewDecoder(s.conn); ; {
		frame := new(display.Frame)
		err := dec.Decode(frame)
		if err != nil {
			frame = nil
		}
		select {
		case said <- sliderSaid{s, frame}:
		case <-end:
			return
		}
		if err != nil {
			return
		}
	}
}

// sendTime is how long a program may take to read a move. It reads while it draws.
const sendTime = time.Second

func (s *stayed) send(m display.Move) {
	_ = s.conn.SetWriteDeadline(time.Now().Add(sendTime))
	if json.NewEncoder(s.conn).Encode(m) != nil {
		s.conn.Close() // listen sees it
	}
}

// framed passes on what a program has said.
func (f *front) framed(said sliderSaid) {
	switch frame := said.frame; {
	case !slices.Contains(f.sliders.stays, said.by): // it was told to end
	case frame == nil:
		f.leave("its program has ended", func(s *stayed) bool { return s == said.by })
	case frame.Slider == "":
		f.leave(frame.Error, func(s *stayed) bool { return s == said.by })
	default:
		c := f.sliders.comms[frame.By]
		if c == nil {
			return // closed meanwhile
		}
		data := map[string]any{"value": frame.Value, "svg": frame.SVG}
		if frame.Error != "" {
			data = map[string]any{"value": frame.Value, "error": frame.Error}
		}
		f.tellComm(c, data)
	}
}

// leave ends programs, and says why to the pages that show their sliders.
func (f *front) leave(why string, which func(*stayed) bool) {
	f.sliders.stays = slices.DeleteFunc(f.sliders.stays, func(s *stayed) bool {
		if !which(s) {
			return false
		}
		s.conn.Close() // it ends then
		f.tellSliders(s, map[string]any{"live": false, "why": why})
		return true
	})
}

// leaveCell ends the programs of a cell that runs again.
func (f *front) leaveCell(r *request) {
	if id := r.CellID(); id != "" {
		f.leave("", func(s *stayed) bool { return s.cell == id })
	}
}
