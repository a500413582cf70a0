package plotting

import (
	"errors"
	"fmt"
	"html"
	"os"
	"strconv"
	"time"

	"marginalia/internal/display"
)

// StillEnv names an environment variable. If it is set, figures with a slider show their
// start value and no program waits for the reader. Programs that execute notebooks set it.
const StillEnv = display.StillEnv

// SliderWaitEnv names an environment variable with a time such as 10m. Every slider then
// waits that long for a first touch, whatever its Wait. Set it on a slow or busy
// computer, where the page shows the slider late.
const SliderWaitEnv = "MARGINALIA_SLIDER_WAIT"

// A Slider is a number that the reader of a notebook can drag.
type Slider struct {
	Label           string // beside the slider, such as "log₁₀ C"
	Min, Max, Start float64
	Step            float64       // 0 means a hundredth of the range
	Wait            time.Duration // for a first touch; four times as long after each touch; 0 means 5 s
}

// Slide shows a figure that follows a slider: draw makes the figure for a value. In
// JupyterLab the figure for Start appears with the slider above it. While the reader
// drags the slider, the compiled program redraws the figure as fast as draw allows. The
// cell ends when nobody has touched the slider for a while, so Run All continues.
//
//	plotting.Slide("c", plotting.Slider{Label: "log₁₀ C", Min: -2, Max: 3}, func(v float64) plotting.Drawing {
//		m, err := svm.Classifier{C: math.Pow(10, v)}.Fit(X, y)
//		…
//		return plotting.New("", plotting.Margin(m.W, m.B, ""), plotting.Classes(X, y))
//	})
//
// Without a live page, or if [StillEnv] is set, Slide shows the figure for Start alone.
// That figure is the one that is stored, written to files and compared. The same happens
// in a program that links gonbui, which takes the messages from the page: in the cell that
// uses gonbui, and in every later cell if a declaration uses it.
//
// Slide panics if the slider's numbers make no sense. Other errors end the program, as in
// [Show].
func Slide(name string, s Slider, draw func(value float64) Drawing, alt ...string) {
	if err := s.check(name); err != nil {
		panic(err.Error())
	}
	first := draw(s.Start)
	id := name + "-" + strconv.FormatInt(time.Now().UnixNano(), 36)
	err := checkShow("Slide", name, first)
	if err == nil && (!display.Answers() || os.Getenv(StillEnv) != "") {
		err = put(name, first, alt, "")
	} else if err == nil {
		err = s.follow(name, id, first, draw, alt)
	}
	if err != nil {
		fail(err)
	}
}

func (s *Slider) check(name string) error {
	if !(s.Min < s.Max) || !finite(s.Min) || !finite(s.Max) || !(s.Start >= s.Min && s.Start <= s.Max) {
		return fmt.Errorf("plotting: Slide: %s: from %g to %g, starting at %g, want rising finite numbers and a start between them", name, s.Min, s.Max, s.Start)
	}
	if s.Step == 0 {
		s.Step = (s.Max - s.Min) / 100
	}
	if !(s.Step > 0 && finite(s.Step)) || s.Wait < 0 {
		return fmt.Errorf("plotting: Slide: %s: Step = %g, Wait = %v, want positive values, or 0 for the default", name, s.Step, s.Wait)
	}
	if s.Wait == 0 {
		s.Wait = 5 * time.Second
	}
	return nil
}

// firstWait returns how long the slider waits for a first touch.
func (s *Slider) firstWait() (time.Duration, error) {
	v := os.Getenv(SliderWaitEnv)
	if v == "" {
		return s.Wait, nil
	}
	wait, err := time.ParseDuration(v)
	if err != nil || wait <= 0 {
		return 0, fmt.Errorf("plotting: Slide: %s=%s, want a positive time such as 10m", SliderWaitEnv, v)
	}
	return wait, nil
}

// follow shows the slider and the figure, and redraws the figure until nobody moves the
// slider any more.
func (s *Slider) follow(name, id string, first Drawing, draw func(float64) Drawing, alt []string) error {
	control := display.Data{Data: display.Bundle{"text/html": ""}, DisplayID: id + "-slider"}
	if err := display.Send(control); err != nil {
		return err
	}
	if err := put(name, first, alt, id); err != nil {
		return err
	}
	values, err := display.Listen(id)
	if errors.Is(err, display.ErrTaken) {
		control.Data["text/html"] = s.note("no slider, because this program uses gonbui, which takes what the page sends. " +
			"Keep gonbui to cells that start with %% and declare nothing.")
		return display.Send(control)
	}
	if err != nil {
		return err
	}
	control.Data["text/html"] = s.page(id)
	if err := display.Send(control); err != nil {
		return err
	}
	return s.redraw(values, func() error {
		_, err := display.Listen(id)
		return err
	}, func(value float64) error {
		d := draw(value)
		if err := checkShow("Slide", name, d); err != nil {
			return err
		}
		return send(name, d, alt, id, screen)
	}, func() error {
		control.Data["text/html"] = s.note("run the cell again to move the slider.")
		return display.Send(control)
	})
}

// reconnect is the interval between attempts to connect until the page reports its slider.
const reconnect = 2 * time.Second

// redraw calls show with each value that the page sends, and calls end when nobody moves
// the slider any more.
//
// GoNB's script on the page gives up unless the kernel answers within half a second
// (internal/websocket/gonb_comm.js in v0.11.4, _wait_open_ack). A busy computer is slower
// than that. Listening again makes GoNB check for its script and put it on the page anew
// if it is missing.
func (s *Slider) redraw(values <-chan any, listen func() error, show func(float64) error, end func() error) error {
	wait, err := s.firstWait()
	if err != nil {
		return err
	}
	connected := false
	for deadline := time.Now().Add(wait); ; {
		patience := time.Until(deadline)
		if !connected {
			patience = min(patience, reconnect)
		}
		select {
		case v := <-values:
			connected = true
			if value, ok := number64(v); ok && value >= s.Min && value <= s.Max {
				if err := show(value); err != nil {
					return err
				}
				wait = 4 * s.Wait
			}
			deadline = time.Now().Add(wait)
		case <-time.After(patience):
			if !time.Now().Before(deadline) {
				return end()
			}
			if err := listen(); err != nil {
				return err
			}
		}
	}
}

// note returns a message that takes the place of the slider.
func (s *Slider) note(words string) string {
	return "<small>" + html.EscapeString(s.Label+": "+words) + "</small>"
}

// number64 converts a number received from the page.
func number64(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, finite(v)
	case int:
		return float64(v), true
	}
	return 0, false
}

// page returns the slider as HTML, with a script that sends its value to the program
// through gonb_comm, an object that GoNB puts on the page. Whenever that object is new,
// the script sends what the program has not heard yet: the value, or that the slider is
// there.
func (s *Slider) page(id string) string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	return fmt.Sprintf(`<label style="display:flex;align-items:center;gap:.8em;max-width:30em">
<span>%s</span>
<input id="%s" type="range" min="%s" max="%s" step="%s" value="%s" style="flex:1" aria-label="%s">
<output>%s</output>
</label>
<script>
(() => {
	const slider = document.getElementById(%q);
	let told = "the slider is there", by;
	slider.addEventListener("input", () => {
		told = Number(slider.value);
		slider.nextElementSibling.textContent = told.toPrecision(3);
		globalThis.gonb_comm?.send(slider.id, told);
	});
	const connect = setInterval(() => {
		if (by !== globalThis.gonb_comm) {
			by = globalThis.gonb_comm;
			by?.send(slider.id, told);
		} else if (by && !slider.isConnected) {
			clearInterval(connect);
		}
	}, 100);
})();
</script>`, html.EscapeString(s.Label), id, number(s.Min), number(s.Max), number(s.Step), number(s.Start),
		html.EscapeString(s.Label), strconv.FormatFloat(s.Start, 'g', 3, 64), id)
}
