package plotting

import (
	"marginalia/internal/cell/display"
	"marginalia/plotting/internal/notebook"
)

// The last expression of a cell shows itself, and so does a figure there: see marginalia/show. It has no
// name, so it is written to no file.
func init() {
	display.Draw = func(v any) (drawn bool, err error) {
		d, ok := v.(Drawing)
		if !ok || !display.Active() {
			return ok, nil
		}
		return true, notebook.Put("", newOnce(d), nil, "")
	}
}
