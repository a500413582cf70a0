package display

import (
	"encoding/json"
	"math"
	"strconv"
	"syscall/js"
)

// offer gives the slider to the page: a function that takes a value as text, and returns the
// [Frame] as JSON.
func offer(name string, frame func(float64) ([]byte, error)) {
	serve := js.Global().Get("marginaliaServe")
	if serve.IsUndefined() {
		return
	}
	serve.Invoke(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
		f := Frame{Slider: name}
		value, err := strconv.ParseFloat(args[0].String(), 64)
		if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
			f.Error = "the page sent the value " + args[0].String()
		} else {
			f = drawn(Move{Slider: name, Value: value}, frame)
		}
		answer, err := json.Marshal(f)
		if err != nil {
			panic("display: " + err.Error()) // all values are finite
		}
		return string(answer)
	}))
}
