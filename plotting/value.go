package plotting

import "marginalia/plotting/internal/notebook"

// A figure that is the last expression of a cell shows itself: see marginalia/show.
func init() {
	notebook.Shown(func(v any) notebook.Picture {
		if d, ok := v.(Drawing); ok {
			return newOnce(d)
		}
		return nil
	})
}
