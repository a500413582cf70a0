//go:build unix

package main

import (
	"encoding/json"
	"net"
	"os"
	"slices"
	"strconv"
	"time"

	"marginalia/internal/cell/display"
	"marginalia/internal/kernel/jupyter"
)

// sliderTarget is the target of the comms (Messaging in Jupyter, "Custom Messages") with which
// pages move sliders. A page opens a comm with {"slider": name} and sends {"value": x}. The
// front answers {"value": x, "svg": text} or {"value": x, "error": text}. It also says
// {"live": true} when a program begins to serve the slider, and {"live": false, "why": text}
// when the program ends.
const sliderTarget = "marginalia.slider"

// sliders are the programs that serve sliders and the comms of pages that show them.
type sliders struct {
	most     int       // servers
	servers  []*server // the oldest first
	comms    map[string]*sliderComm
	messages chan serverMessage
}

// A server is a program that has stayed after its cell to serve its sliders.
type server struct {
	display.Stay
	cell string // its id; "" if the client names none
	conn net.Conn
}

func (s *server) serves(slider string) bool { return slices.Contains(s.Sliders, slider) }

type sliderComm struct {
	id, slider string
	last       jupyter.Message // from the page
}

// A serverMessage is a frame, or nil when the server has ended.
type serverMessage struct {
	from  *server
	frame *display.Frame
}

func newSliders() *sliders {
	most, err := strconv.Atoi(os.Getenv(display.SlidersEnv))
	if err != nil {
		most = display.DefaultSliders
	}
	return &sliders{most: max(most, 0), comms: map[string]*sliderComm{}, messages: make(chan serverMessage)}
}

// slider handles a message that belongs to the comm of a slider, and reports whether it does.
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

// of returns the server of a slider, nil if there is none.
func (s *sliders) of(slider string) *server {
	i := slices.IndexFunc(s.servers, func(s *server) bool { return s.serves(slider) })
	if i < 0 {
		return nil
	}
	return s.servers[i]
}

func (f *front) tellComm(c *sliderComm, data map[string]any) {
	f.say(c.last, jupyter.IOPub, "comm_msg", map[string]any{"comm_id": c.id, "data": data})
}

// tellPages tells all pages that show a slider of a server.
func (f *front) tellPages(of *server, data map[string]any) {
	for _, c := range f.sliders.comms {
		if of.serves(c.slider) {
			f.tellComm(c, data)
		}
	}
}

// adopt takes a display that says that the program of a request stays, and connects to the
// program. It reports whether the display says so.
func (f *front) adopt(r *request, m jupyter.Message) bool {
	var c struct {
		Data map[string]json.RawMessage
	}
	if m.Decode(&c) != nil || c.Data[display.StayType] == nil {
		return false
	}
	var text string
	s := &server{cell: r.CellID()}
	if json.Unmarshal(c.Data[display.StayType], &text) != nil || json.Unmarshal([]byte(text), &s.Stay) != nil {
		return true
	}
	var err error
	if s.conn, err = net.Dial("unix", s.Socket); err != nil {
		return true // the program has died
	}
	f.dismiss("", func(old *server) bool { return slices.ContainsFunc(s.Sliders, old.serves) })
	f.sliders.servers = append(f.sliders.servers, s)
	if oldest := f.sliders.servers[0]; len(f.sliders.servers) > f.sliders.most {
		f.dismiss("the sliders of newer cells have taken its place; see "+display.SlidersEnv, func(s *server) bool { return s == oldest })
	}
	go s.listen(f.life.Done(), f.sliders.messages)
	f.tellPages(s, map[string]any{"live": true})
	return true
}

// listen passes on the frames of a server until it or the kernel ends.
func (s *server) listen(end <-chan struct{}, messages chan<- serverMessage) {
	for dec := json.NewDecoder(s.conn); ; {
		frame := new(display.Frame)
		err := dec.Decode(frame)
		if err != nil {
			frame = nil
		}
		select {
		case messages <- serverMessage{s, frame}:
		case <-end:
			return
		}
		if err != nil {
			return
		}
	}
}

// sendTime is how long a server may take to read a move. It reads while it draws.
const sendTime = time.Second

func (s *server) send(m display.Move) {
	_ = s.conn.SetWriteDeadline(time.Now().Add(sendTime))
	if json.NewEncoder(s.conn).Encode(m) != nil {
		s.conn.Close() // listen sees it
	}
}

// hear handles a message of a server.
func (f *front) hear(m serverMessage) {
	sender := func(s *server) bool { return s == m.from }
	switch frame := m.frame; {
	case !slices.Contains(f.sliders.servers, m.from): // dismissed
	case frame == nil:
		f.dismiss("its program has ended", sender)
	case frame.Slider == "":
		f.dismiss(frame.Error, sender)
	default:
		c := f.sliders.comms[frame.By]
		if c == nil {
			return // the page has closed it
		}
		data := map[string]any{"value": frame.Value, "svg": frame.SVG}
		if frame.Error != "" {
			data = map[string]any{"value": frame.Value, "error": frame.Error}
		}
		f.tellComm(c, data)
	}
}

// dismiss ends servers, and tells the pages that show their sliders why.
func (f *front) dismiss(why string, which func(*server) bool) {
	f.sliders.servers = slices.DeleteFunc(f.sliders.servers, func(s *server) bool {
		if !which(s) {
			return false
		}
		s.conn.Close() // the program ends with it
		f.tellPages(s, map[string]any{"live": false, "why": why})
		return true
	})
}

// dismissCell ends the servers of a cell that runs again.
func (f *front) dismissCell(r *request) {
	if id := r.CellID(); id != "" {
		f.dismiss("", func(s *server) bool { return s.cell == id })
	}
}
