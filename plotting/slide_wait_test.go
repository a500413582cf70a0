package plotting

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// A page that loses its connection while loading is connected again, and the wait for a
// first touch begins when the page reports the slider. Otherwise a slider on a busy
// computer ends before a reader can touch it. The clock is synctest's.
func TestSliderWaits(t *testing.T) {
	for _, c := range []struct {
		name string
		env  string
		late time.Duration // when the page reports the slider; 0 means never
		drag []time.Duration
		ends time.Duration
		news int // number of new connections, one every 2 s until the page reports
	}{
		{name: "no page", ends: 5 * time.Second, news: 2},
		{name: "a page", late: time.Second, ends: 6 * time.Second},
		{name: "a late page", late: 4500 * time.Millisecond, ends: 9500 * time.Millisecond, news: 2},
		{name: "a drag", late: time.Second, drag: []time.Duration{5 * time.Second}, ends: 25 * time.Second},
		{name: "two drags", late: time.Second, drag: []time.Duration{5 * time.Second, 24 * time.Second}, ends: 44 * time.Second},
		{name: "a busy computer", env: "1m", late: 31 * time.Second, drag: []time.Duration{80 * time.Second}, ends: 100 * time.Second, news: 15},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(SliderWaitEnv, c.env)
			synctest.Test(t, func(t *testing.T) {
				s := Slider{Label: "a", Max: 100}
				if err := s.check("test"); err != nil {
					t.Fatal(err)
				}
				values := make(chan any)
				begun := time.Now()
				go func() {
					if c.late == 0 {
						return
					}
					time.Sleep(c.late)
					values <- "the slider is there"
					for k, at := range c.drag {
						time.Sleep(at - time.Since(begun))
						values <- float64(k + 1)
					}
				}()
				var shown, want []float64
				for k := range c.drag {
					want = append(want, float64(k+1))
				}
				news, ends := 0, 0
				err := s.redraw(values, func() error { news++; return nil },
					func(v float64) error { shown = append(shown, v); return nil },
					func() error { ends++; return nil })
				if took := time.Since(begun); err != nil || ends != 1 || took != c.ends || news != c.news {
					t.Errorf("error %v, ended %d times after %v, connected anew %d times; want once, %v, %d", err, ends, took, news, c.ends, c.news)
				}
				if !slices.Equal(shown, want) {
					t.Errorf("figures for %v, want %v", shown, want)
				}
			})
		})
	}
	t.Setenv(SliderWaitEnv, "soon")
	if err := (&Slider{}).redraw(nil, nil, nil, nil); err == nil || err.Error() != "plotting: Slide: MARGINALIA_SLIDER_WAIT=soon, want a positive time such as 10m" {
		t.Errorf("error %v", err)
	}
}
