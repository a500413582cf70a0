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
	By     string  `json:"by"` // the page that asks; a later move replaces one that waits
}

// A Frame is the answer to a move.
type Frame struct {
	Slider string  `json:"slider,omitempty"` // empty if the program ends now because of Error
	Value  float64 `json:"value"`
	By     string  `json:"by,omitempty"`
	SVG    string  `json:"svg,omitempty"`
	Error  string  `json:"error,omitempty"` // why there is no SVG
}

// Offer lets the page move a slider after main has returned. The cell ends then and the kernel
// is free, but the program stays and calls frame for each value, one call at a time. If a name
// is offered twice, the later frame counts. In a page (GOOS=js) the function marginaliaServe of
// JavaScript, if there is one, gets the slider, and package cellrun keeps the program. Offer
// does nothing elsewhere, or if [SlidersEnv] is unset or 0.
func Offer(name string, frame func(value float64) (svg []byte, err error)) {
	if n := os.Getenv(SlidersEnv); n != "" && n != "0" {
		offer(name, frame)
	}
}

// drawn answers a move with a frame. A panic becomes its error: another value may do.
func drawn(m Move, frame func(value float64) (svg []byte, err error)) (f Frame) {
	f = Frame{Slider: m.Slider, Value: m.Value, By: m.By}
	defer func() {
		if p := recover(); p != nil {
			f.Error = fmt.Sprintf("panic: %v", p)
		}
	}()
	if frame == nil {
		f.Error = fmt.Sprintf("the program has no slider %q", m.Slider)
		return f
	}
	svg, err := frame(m.Value)
	if err != nil {
		f.Error = err.Error()
		return f
	}
	f.SVG = string(svg)
	return f
}
