package lab

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/lab/labtest"
)

// slider drags a slider of plotting.Slide: the figure follows, is that of the slider's
// value, and when nobody touches the slider any more the cell ends and the next one runs.
func (r *room) slider(t *testing.T) {
	const cell = `import (
	"fmt"
	"time"

	"marginalia/plotting"
)

%%
plotting.Slide("line", plotting.Slider{Label: "slope", Min: -2, Max: 2, Start: 1, Step: 0.25, Wait: 3 * time.Second}, func(a float64) plotting.Drawing {
	fmt.Println("slope", a)
	return plotting.New("", plotting.Line([]float64{0, 1}, []float64{0, a}))
})
`
	d := r.open(t, "slider.ipynb", cell, "%%\nfmt.Println(\"the next cell\")\n")
	labtest.Choose(d.ctx, t, "Run", "runmenu:run-all")
	d.do("waiting for the slider", chromedp.WaitVisible(chromedp.CSS(`.jp-OutputArea input[type=range]`)))
	const picked = `document.querySelector('.jp-OutputArea img').src`
	before, err := chromedp.Run(d.ctx, chromedp.Evaluate[string](picked))
	if err != nil {
		t.Fatal(err)
	}
	// As a hand drags it: the browser sets the value and tells of its input.
	const drag = `(() => { const s = document.querySelector('.jp-OutputArea input[type=range]');
		s.value = -1.5; s.dispatchEvent(new Event('input', {bubbles: true})); return s.value; })()`
	// The slider waits for its first touch as long as this test has (see startLab), and the
	// page shows the new figure whenever it comes.
	if _, err := chromedp.Run(d.ctx, chromedp.Evaluate[string](drag)); err != nil {
		t.Fatalf("dragging: %v", err)
	}
	d.wait("the figure to follow", picked+` !== `+strconv.Quote(before))
	t.Log(d.picture("dragged"))
	saved := labtest.WaitUntilRun(d.ctx, t, d.path, d.code, nil)
	for i := range saved.Cells {
		if said := errorsOf(saved, i); said != "" {
			t.Errorf("cell %d ended in an error: %s", i, said)
		}
	}
	if got := printedBy(saved, 0); !strings.HasPrefix(got, "slope 1\nslope -1.5\n") {
		t.Errorf("the slider's cell printed %q", got)
	}
	if got := printedBy(saved, 1); got != "the next cell\n" {
		t.Errorf("the next cell printed %q", got)
	}
}
