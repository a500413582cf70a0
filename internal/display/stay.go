package display

import "os"

// The environment of a program that may stay when its cell has ended.
const (
	SlidersEnv      = "MARGINALIA_SLIDERS"       // how many programs may stay for their sliders; 0: none
	SliderMemoryEnv = "MARGINALIA_SLIDER_MEMORY" // how many megabytes each of them may use
	mainEnv         = "MARGINALIA_MAIN"          // a file for internal/kernel to close when main has returned
)

// DefaultSliders and DefaultSliderMemory hold where the environment says nothing else.
const (
	DefaultSliders      = 8
	DefaultSliderMemory = 500
)

// StayType is the MIME type of what a program shows last if it stays: a [Stay] as JSON. It
// is meant for the kernel alone.
const StayType = "application/vnd.marginalia.stay"

// Stay says where a program serves its sliders. Whoever connects to the socket writes
// [Move]s and reads [Frame]s, JSON both. The program ends when the connection is closed.
type Stay struct {
	Socket  string   `json:"socket"`
	Sliders []string `json:"sliders"`
}

// A Move is the value to which the reader moved a slider.
type Move struct {
	Slider string  `json:"slider"`
	Value  float64 `json:"value"`
	By     string  `json:"by"` // who wants the frame; of each, only the last move is answered
}

// A Frame is the answer to a move.
type Frame struct {
	Slider string  `json:"slider,omitempty"` // empty: the program is about to end, and says why
	Value  float64 `json:"value"`
	By     string  `json:"by,omitempty"`
	SVG    string  `json:"svg,omitempty"`
	Error  string  `json:"error,omitempty"` // why there is no SVG
}

// Offer lets the reader of the page move a slider when main has returned: the cell ends then,
// the kernel is free for the next one, and the program stays to make the frames. That needs
// our kernel: elsewhere, and where [SlidersEnv] is not set or 0, Offer does nothing. Calls of
// frame come one after the other. If a name is offered again, the last frame holds.
func Offer(name string, frame func(value float64) (svg []byte, err error)) {
	if n := os.Getenv(SlidersEnv); n != "" && n != "0" && os.Getenv(PipeEnv) != "" {
		offer(name, frame)
	}
}
