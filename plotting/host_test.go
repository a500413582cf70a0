package plotting

import (
	"bytes"
	"encoding/json"
	"testing"

	"marginalia/internal/cell/display"
	"marginalia/plotting/internal/notebook"
)

// A host other than a kernel (a page of a site, a grader) gets figures through the function
// that it registers. For a slider that is the still of its start value. A live frame has half the
// resolution.
func TestFiguresReachAHost(t *testing.T) {
	t.Setenv(display.PipeEnv, "")
	t.Setenv(FiguresEnv, "")
	type shown struct {
		Data struct {
			PNG []byte `json:"image/png"`
		} `json:"data"`
		Metadata struct {
			Figure string `json:"figure"`
		} `json:"metadata"`
		ID string `json:"display_id"`
	}
	var got []shown
	display.Use(display.Func(func(message []byte) error {
		var s shown
		err := json.Unmarshal(message, &s)
		got = append(got, s)
		return err
	}))
	defer display.Use(nil)
	fig := New("", Line(nil, []float64{4, 2, 1}))
	Show("loss", fig)
	Slide("slider", Slider{Label: "C", Max: 1}, func(float64) Drawing { return fig })
	live := Live("live")
	live.Draw(func() Drawing { return fig })
	live.End(fig)
	for i, name := range []string{"loss", "slider", "live", "live"} {
		if len(got) != 4 || got[i].Metadata.Figure != name || (got[i].ID != "") != (i >= 2) {
			t.Fatalf("message %d of %d: want the figure %s", i, len(got), name)
		}
		want := [][]byte{fig.PNG(notebook.Screen), notebook.Slider{Label: "C", Max: 1}.Still(newOnce(fig)).PNG(notebook.Screen), fig.PNG(notebook.Screen / 2), fig.PNG(notebook.Screen)}
		if !bytes.Equal(got[i].Data.PNG, want[i]) {
			t.Errorf("%s: not the figure as a notebook shows it", name)
		}
	}
}
