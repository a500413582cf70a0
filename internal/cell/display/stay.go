package display

import (
	"fmt"
	"os"
)

// The environment of a program that may stay when its cell has ended.
const (
	SlidersEnv      = "MARGINALIA_SLIDERS"       // how many programs may stay for their sliders; 0: none
	SliderMemoryEnv = "MARGINALIA_SLIDER_MEMORY" // how many megabytes each of them may use
	mainEnv         = "MARGINALIA_MAIN"          // the descriptor that internal/kernel closes when main has returned
)

// DefaultSliders and DefaultSliderMemory are the values if the environment names none.
const (
	DefaultSliders      = 8
	DefaultSliderMemory = 500
)

// StayType is the MIME type of the [Stay], as JSON, with which a program tells the kernel that
// it stays. The kernel does not pass it on to pages.
const StayType = "application/vnd.marginalia.stay"

// Stay names the sliders that a program serves, and its socket. The kernel connects, writes
// [Move]s and reads [Frame]s, both as JSON. The program ends with the connection.
type Stay struct {
	Socket  string   `json:"socket"`
	Sliders []string `json:"sliders"`
}

// A Move is the value to which the reader moved a slider.
type Move struct {
	Slider string  `json:"slider"`
	Value  float64 `json:"value"`
	By     string  `json:"by"`               // the page that asks; a later move replaces one that waits
	Coarse bool    `json:"coarse,omitempty"` // the hand has not come to rest: fields may have fewer samples
}

// A Frame is the answer to a move.
type Frame struct {
	Slider string  `json:"slider,omitempty"` // empty if the program ends now because of Error
	Value  float64 `json:"value"`
	By     string  `json:"by,omitempty"`
	SVG    string  `json:"svg,omitempty"`
	Coarse bool    `json:"coarse,omitempty"` // a field has fewer samples than at rest
	Error  string  `json:"error,omitempty"`  // why there is no SVG
}

// A Drawer draws the figure of a slider for a value. If coarse is true it may take fewer samples
// of fields, and rough says whether it did.
type Drawer func(value float64, coarse bool) (svg []byte, rough bool, err error)

// Offer lets the page move a slider after main has returned. The cell ends then and the kernel
// is free, but the program stays and calls draw for each value, one call at a time. If a name
// is offered twice, the later draw counts. In a page (GOOS=js) the function marginaliaServe of
// JavaScript, if there is one, gets the slider, and package cellrun keeps the program. Offer
// does nothing elsewhere, or if [SlidersEnv] is unset or 0.
func Offer(name string, draw Drawer) {
	if n := os.Getenv(SlidersEnv); n != "" && n != "0" {
		offer(name, draw)
	}
}

// drawn answers a move with a frame. A panic becomes its error: another value may do.
func drawn(m Move, draw Drawer) (f Frame) {
	f = Frame{Slider: m.Slider, Value: m.Value, By: m.By}
	defer func() {
		if p := recover(); p != nil {
			f.Error = fmt.Sprintf("panic: %v", p)
		}
	}()
	if draw == nil {
		f.Error = fmt.Sprintf("the program has no slider %q", m.Slider)
		return f
	}
	svg, rough, err := draw(m.Value, m.Coarse)
	if err != nil {
		f.Error = err.Error()
		return f
	}
	f.SVG, f.Coarse = string(svg), rough
	return f
}
