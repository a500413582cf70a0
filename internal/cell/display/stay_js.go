package display

import (
	"encoding/json"
	"strings"
	"syscall/js"
)

// offer gives the slider to the page: a function that takes a [Move] as JSON, and a function that
// gets the [Frame] as JSON. The frame is not returned: a fit may let other events in meanwhile.
func offer(name string, draw Drawer) {
	serve := js.Global().Get("marginaliaServe")
	if serve.IsUndefined() {
		return
	}
	serve.Invoke(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
		go func() { args[1].Invoke(answer(name, args[0].String(), draw)) }()
		return nil
	}))
}

// answer draws the frame for a move that the page sent.
func answer(name, text string, draw Drawer) string {
	m, f := Move{Slider: name}, Frame{Slider: name}
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		f.Error = "the page sent " + text
	} else {
		f = drawn(m, draw)
	}
	var packed strings.Builder
	enc := json.NewEncoder(&packed)
	enc.SetEscapeHTML(false) // it would take six characters for each bracket of the SVG
	if err := enc.Encode(f); err != nil {
		panic("display: " + err.Error()) // all values are finite
	}
	return packed.String()
}
