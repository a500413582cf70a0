// A cell that displays by gonbui and by this project's display package in turn.
package main

import (
	"log"

	"github.com/janpfeifer/gonb/gonbui"

	"marginalia/internal/cell/display"
)

func main() {
	for range 3 {
		gonbui.DisplayHTML("<p>html</p>")
		gonbui.Sync()
		err := display.Send(display.Data{
			Data:     display.Bundle{"text/plain": "figure", "image/png": make([]byte, 300_000)},
			Metadata: display.Bundle{"image/png": map[string]float64{"width": 480}},
		})
		if err != nil {
			log.Fatal(err)
		}
	}
	gonbui.DisplayHTML("<p>end</p>")
	gonbui.Sync()
}
