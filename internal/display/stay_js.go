package display

import (
	"encoding/json"
	"math"
	"strconv"
	"syscall/js"
)

// offer gives the slider to the page: a function that takes a value as text, and a function that
// gets the [Frame] as JSON. The frame is not returned: a fit may let other events in meanwhile.
func offer(name string, frame func(float64) ([]byte, error)) {
	serve := js.Global().Get("marginaliaServe")
	if serve.IsUndefined() {
		return
	}
	serve.Invoke(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
		go func() { args[1].Invoke(answer(name, args[0].String(), frame)) }()
		return nil
	}))
}

// answer draws the frame for a value that the page sent.
func answer(name, text string, frame func(float64) ([]byte, error)) string {
	f := Frame{Slider: name}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
		f.Error = "the page sent the value " + text
	} else {
		f = drawn(Move{Slider: name, Value: value}, frame)
	}
	packed, err := json.Marshal(f)
	if err != nil {
		panic("display: " + err.Error()) // all values are finite
	}
	return string(packed)
}
