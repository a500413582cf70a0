//go:build browser

package live_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/site/live"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// visit is a window with what goes wrong in it.
type visit struct {
	context.Context
	t      *testing.T
	mu     sync.Mutex
	faults []string // errors on the console, and requests to other hosts
}

// site serves a folder and returns its address.
func site(t testing.TB, dir string) string {
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	return server.URL
}

// head begins a page under the policy that the living parts need. Fields in figures are pictures
// within them.
func head(title string) string {
	const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; " +
		"img-src 'self' data:; style-src 'self'; base-uri 'none'; form-action 'none'"
	return fmt.Sprintf(`<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="%s">`+
		`<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><link rel="stylesheet" href="play.css"><title>%s</title><body>`, policy, title)
}

// build builds the playgrounds in a folder, with index.html, a page of all of them.
func build(t *testing.T, root string) (dir string, all live.Playgrounds) {
	t.Helper()
	dir = t.TempDir()
	must.Do(t, live.Scripts(t.Context(), dir))
	all = must.Get(live.Build(t.Context(), root, dir)).Or(t)
	page := head("Playgrounds") + "<main>"
	for _, p := range all {
		page += all.Fragment(p.ID, "")
	}
	page += `</main><script type="module" src="play.js"></script>`
	testfile.Write(t, filepath.Join(dir, "index.html"), page)
	return dir, all
}

// window opens a window that records its faults.
func window(t *testing.T, browser context.Context, host string) *visit {
	v := &visit{Context: labtest.Window(t, browser), t: t}
	if err := chromedp.Listen(v, func(event any) {
		fault := ""
		switch e := event.(type) {
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
				fault = e.Entry.Text
			}
		case *runtime.EventConsoleAPICalled:
			fault = fmt.Sprintf("console.%s %s", e.Type, e.Args[0].Value)
		case *runtime.EventExceptionThrown:
			fault = e.ExceptionDetails.Text
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, host) && !strings.HasPrefix(e.Request.URL, "data:") {
				fault = "asks for " + e.Request.URL
			}
		}
		if fault != "" {
			v.mu.Lock()
			v.faults = append(v.faults, fault)
			v.mu.Unlock()
		}
	}); err != nil {
		t.Fatal(err)
	}
	return v
}

func (v *visit) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	v.t.Helper()
	if err := chromedp.Do(v, steps...); err != nil {
		v.t.Fatalf("%s: %v%s", what, err, labtest.Picture(v, v.t.Name()+"-failed"))
	}
}

func (v *visit) wait(what, condition string) {
	v.t.Helper()
	labtest.Wait(v, v.t, what, condition)
}

// value evaluates JavaScript, which may await.
func value[T any](v *visit, js string) T {
	v.t.Helper()
	got, err := chromedp.Run(v, chromedp.Evaluate[T](`(async () => (`+js+`))()`, chromedp.EvalAwaitPromise))
	if err != nil {
		v.t.Fatalf("%s: %v", js, err)
	}
	return got
}

// clean fails if anything went wrong in the window.
func (v *visit) clean() {
	v.t.Helper()
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.faults) > 0 {
		v.t.Errorf("the page complains:\n%s", strings.Join(v.faults, "\n"))
	}
}

// host is JavaScript for the element of a playground.
func host(id string) string { return fmt.Sprintf(`document.querySelector('[data-playground=%q]')`, id) }

// show scrolls to a playground and waits until it lives.
func (v *visit) show(id string) {
	v.t.Helper()
	value[bool](v, host(id)+`.scrollIntoView({block: 'start'}), true`)
	v.wait(id+" to live", host(id)+`.querySelector('.marginalia-figure svg') !== null`)
}

// link returns the link of a playground, without the number sign.
func (v *visit) link(id string) string {
	v.t.Helper()
	return value[string](v, host(id)+`.querySelector('a').hash.slice(1)`)
}

// TestPlaygrounds plays all playgrounds in Chromium. With MARGINALIA_SCREENSHOTS it leaves
// pictures.
func TestPlaygrounds(t *testing.T) {
	quick := tier.Quick(t)
	root := repotest.Root(t)
	dir, all := build(t, root)
	checkSize(t, filepath.Join(dir, "play.wasmz"))
	url, browser := site(t, dir), labtest.Chromium(t)
	v := window(t, browser, url)
	v.do("opening the page", chromedp.Navigate(url+"/index.html"))
	played := all
	if quick {
		played = all[:1]
	}
	for _, p := range played {
		t.Run(p.ID, func(t *testing.T) {
			v.t = t
			v.show(p.ID)
			v.play(p.ID)
		})
	}
	v.t = t
	if quick {
		v.clean()
		return
	}
	t.Run("link", func(t *testing.T) { v.t = t; v.follows(url) })
	v.t = t
	v.clean()
}

// checkSize checks that a program takes at most 3 MB as pages load it, which is the site's bar.
func checkSize(t *testing.T, program string) {
	t.Helper()
	deflated := must.Get(os.Stat(program)).Or(t)
	t.Logf("%s: %.2f MB", filepath.Base(program), float64(deflated.Size())/1e6)
	if deflated.Size() > 3_000_000 {
		t.Errorf("%s takes %d bytes, want at most 3,000,000", filepath.Base(program), deflated.Size())
	}
}

// play drags a point, undoes that, adds one with the keyboard, and turns each knob.
func (v *visit) play(id string) {
	v.t.Helper()
	first := v.link(id)
	if !strings.HasPrefix(first, id+"&preset=") {
		v.t.Errorf("its link is %q", first)
	}
	labtest.Picture(v, v.t.Name())
	box := v.mark(id)
	v.do("dragging",
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, box[0], box[1]),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, box[0], box[1], chromedp.ButtonLeft, chromedp.ClickCount(1)),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, box[0]+10, box[1]-5, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, box[0]+20, box[1]-15, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, box[0]+20, box[1]-15, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	v.wait("the point to move", host(id)+`.querySelector('a').hash.includes('points=')`)
	v.wait("what a screen reader hears", host(id)+`.querySelector('[role=status]').textContent.startsWith('point ')`)
	moved := v.link(id)
	if strings.Count(moved, ";") > 0 {
		v.t.Errorf("dragging one point gives %s", moved)
	}
	labtest.Picture(v, v.t.Name()+"-dragged")
	v.do("undoing", chromedp.Evaluate[chromedp.Void](host(id)+`.querySelector('.marginalia-figure').focus()`), labtest.Keys("z", chromedp.ModifierCtrl))
	v.wait("the undone drag", fmt.Sprintf(`%s.querySelector('a').hash.slice(1) === %q`, host(id), first))
	v.do("adding", labtest.Keys(kb.Enter), labtest.Keys(kb.ArrowUp))
	v.wait("the added point", host(id)+`.querySelector('a').hash.includes('points=')`)
	knobs := value[int](v, host(id)+`.querySelectorAll('.playground-knob').length`)
	for k := range knobs {
		knob := fmt.Sprintf(`%s.querySelectorAll('.playground-knob > :is(input, select)')[%d]`, host(id), k)
		before := v.link(id)
		value[bool](v, `(() => { const e = `+knob+`; e.value = e.value === (e.min || '0') ? (e.max || '1') : (e.min || '0'); e.dispatchEvent(new Event('input')); return true; })()`)
		v.wait("the knob's figure", fmt.Sprintf(`%s.querySelector('a').hash.slice(1) !== %q`, host(id), before))
	}
	if note := value[string](v, host(id)+`.querySelector('.playground-note').textContent`); strings.HasPrefix(note, "The figure could not") {
		v.t.Error(note)
	}
}

// mark scrolls to a playground and returns where the first disc among its samples is, when the
// page no longer moves.
func (v *visit) mark(id string) [2]float64 {
	v.t.Helper()
	js := `(() => {
		const svg = ` + host(id) + `.querySelector('.marginalia-figure svg');
		svg.scrollIntoView({block: 'center', behavior: 'instant'});
		const r = [...svg.querySelectorAll('title')].find(e => e.parentNode.localName === 'circle').parentNode.getBoundingClientRect();
		return [r.left + r.width / 2, r.top + r.height / 2];
	})()`
	v.wait("the page to stand still", `(at => { const same = window.was === at; window.was = at; return same; })(String(`+js+`))`)
	return value[[2]float64](v, js)
}

// follows opens links in the page: of a state, and hostile ones.
func (v *visit) follows(url string) {
	v.t.Helper()
	const link = "margin&preset=overlap&C=2&keep=39&tail=0&points=1,-2,1"
	v.do("leaving the page", chromedp.Navigate("about:blank"), chromedp.Navigate(url+"/index.html#"+link))
	v.wait("the state of the link", fmt.Sprintf(`%s.querySelector('a')?.hash.slice(1) === %q`, host("margin"), link))
	if y := value[float64](v, host("margin")+`.getBoundingClientRect().top`); y < -300 || y > 900 {
		v.t.Errorf("the playground of the link is at %g in the window", y)
	}
	value[bool](v, `location.hash = 'margin&preset=<img src=x onerror=alert(1)>', true`)
	v.wait("what is wrong with a link", host("margin")+`.querySelector('[role=status]').textContent.startsWith('The link was not understood')`)
	if n := value[int](v, `document.querySelectorAll('img[src="x"], script:not([src])').length`); n > 0 || v.link("margin") != link {
		v.t.Errorf("%d elements came from the address, and the state is %s", n, v.link("margin"))
	}
}
