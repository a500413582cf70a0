//go:build browser

package site

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"golang.org/x/net/html"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// TestSite builds the site and reads it: every link leads somewhere, and in Chromium every page
// opens from its file, in a light theme, in a dark one and on a phone, without an error in the
// console, a request to another host, or a page wider than its window. Every slider moves, nothing
// is cut on paper, and axe-core finds no fault. Served over HTTP, the search finds a word. A second
// build, with nothing changed, makes the same files.
//
// It needs Chromium, Python 3.11 and, the first time, a package index. With MARGINALIA_SCREENSHOTS
// set to a folder it leaves a picture of each page there, in each of the three views.
func TestSite(t *testing.T) {
	tier.Browser(t)
	browser := labtest.Chromium(t)
	root := repotest.Root(t)
	out := filepath.Join(t.TempDir(), "site")
	r := must.Get(Build(t.Context(), root, Options{Out: out}, nil)).Or(t)
	t.Logf("%d pages, %d files, %.1f MB", r.Pages, r.Files, float64(r.Bytes)/1e6)
	pages := pagesOf(t, out)
	if len(pages) != r.Pages || !slices.Contains(pages, "notebooks/09-errata.html") || !slices.Contains(pages, "library/mlkit/svm.html") {
		t.Fatalf("there are %d pages %q, reported are %d", len(pages), pages, r.Pages)
	}
	before := contents(t, out)
	must.Get(Build(t.Context(), root, Options{Out: out}, nil)).Or(t)
	for name, text := range contents(t, out) {
		if before[name] != text {
			t.Errorf("a second build, with nothing changed, makes another %s", name)
		}
	}
	checkFolders(t, root, before)
	t.Run("links", func(t *testing.T) { checkLinks(t, out, pages) })
	t.Run("solutions", func(t *testing.T) { checkSolutions(t, root, out) })
	t.Run("titles and descriptions", func(t *testing.T) { checkHeads(t, out, pages) })
	t.Run("pages", func(t *testing.T) {
		sliders := 0
		ctx := labtest.Window(t, browser)
		w := watch(ctx, t, labtest.Offline(ctx, t))
		axe, formulas := axeCore(t), [len(views)]int{}
		for i, page := range pages {
			sliders += w.visit(out, page)
			w.print(page)
			formulas[i%len(views)] += w.audit(axe, page, i%len(views))
			w.quiet(page)
		}
		if slices.Contains(formulas[:], 0) {
			t.Errorf("axe-core has read %d formulas in its two views", formulas)
		}
		if asked := w.asked(); len(asked) > 0 {
			t.Errorf("the pages ask for %q", asked)
		}
		// As many outputs of the lectures have frames, and notebooks/README.md says so; one plays on the first page as well.
		if want := 22 + 1; sliders != want {
			t.Errorf("%d sliders moved, want %d", sliders, want)
		}
	})
	address := served(t, out)
	t.Run("search", func(t *testing.T) { checkSearch(t, browser, address) })
	t.Run("search from the disk", func(t *testing.T) { checkFromDisk(t, browser, out) })
	t.Run("code", func(t *testing.T) { checkCode(t, browser, address) })
	t.Run("copy", func(t *testing.T) { checkCopy(t, browser, address) })
	t.Run("phone", func(t *testing.T) { checkPhone(t, browser, out) })
	t.Run("first page", func(t *testing.T) { checkHero(t, browser, address) })
	t.Run("anchors", func(t *testing.T) { checkAnchors(t, browser, out, pages) })
	t.Run("programs", func(t *testing.T) { checkPrograms(t, browser, address) })
	t.Run("hostile states", func(t *testing.T) { checkHostile(t, browser, address) })
	t.Run("failing programs", func(t *testing.T) { checkFailing(t, browser, out) })
	t.Run("without scripts", func(t *testing.T) { checkStill(t, browser, out) })
}

// pagesOf are the HTML files of a site.
func pagesOf(t *testing.T, dir string) (pages []string) {
	t.Helper()
	for name := range contents(t, dir) {
		if path.Ext(name) == ".html" {
			pages = append(pages, name)
		}
	}
	slices.Sort(pages)
	return pages
}

// contents are the files of a site by their slashed names.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	if err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		all[name] = string(data)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// A parsed page: its ids, and the addresses that it names.
type parsed struct {
	ids       map[string]bool
	addresses []string
}

func parse(t *testing.T, text string) parsed {
	t.Helper()
	root := must.Get(html.Parse(strings.NewReader(text))).Or(t)
	p := parsed{ids: map[string]bool{}}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			switch a.Key {
			case "id":
				p.ids[a.Val] = true
			case "href", "src", "data-packed":
				p.addresses = append(p.addresses, a.Val)
			}
		}
	}
	return p
}

// checkLinks follows every link of every page, to files and to the places in pages.
func checkLinks(t *testing.T, dir string, pages []string) {
	there := contents(t, dir)
	read := map[string]parsed{}
	for _, page := range pages {
		read[page] = parse(t, there[page])
	}
	for _, page := range pages {
		for _, address := range read[page].addresses {
			u, err := url.Parse(address)
			if err != nil {
				t.Errorf("%s: the link %q: %v", page, address, err)
				continue
			}
			if u.Scheme != "" || u.Host != "" {
				if u.Scheme != "https" && u.Scheme != "http" && u.Scheme != "mailto" && u.Scheme != "data" {
					t.Errorf("%s: the link %q is of a kind that no page should have", page, address)
				}
				continue
			}
			to := page
			if u.Path != "" {
				to = path.Join(path.Dir(page), u.Path)
			}
			if _, ok := there[to]; !ok {
				t.Errorf("%s: the link %q leads to %s, which is not there", page, address, to)
			} else if path.Ext(to) == ".html" && u.Fragment != "" && !read[to].ids[u.Fragment] {
				t.Errorf("%s: the link %q leads to no place of %s", page, address, to)
			}
		}
	}
}

// A watcher is a window, and what its pages did that none should do.
type watcher struct {
	t     *testing.T
	ctx   context.Context
	asked func() []string // addresses of other hosts
	again bool            // a page that is stuck is opened again: see inWindow
	mu    sync.Mutex
	said  []string // errors and warnings in the console
}

func watch(ctx context.Context, t *testing.T, asked func() []string) *watcher {
	t.Helper()
	w := &watcher{t: t, ctx: ctx, asked: asked}
	say := func(format string, args ...any) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.said = append(w.said, fmt.Sprintf(format, args...))
	}
	if err := chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *log.EventEntryAdded:
			say("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL)
		case *runtime.EventExceptionThrown:
			say("exception: %s %s", e.ExceptionDetails.Text, e.ExceptionDetails.URL)
		case *runtime.EventConsoleAPICalled:
			say("console.%s", e.Type)
		}
	}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if t.Failed() && len(w.said) > 0 {
			t.Logf("the console says %q", w.said)
		}
	})
	return w
}

func (w *watcher) evaluate(js string) string {
	w.t.Helper()
	got, err := labtest.Evaluate[string](w.ctx, `String(`+js+`)`)
	w.check(js, err)
	return got
}

// wait waits for a condition in JavaScript.
func (w *watcher) wait(what, condition string) {
	w.t.Helper()
	w.check("waiting for "+what, labtest.Until(w.ctx, labtest.Patience, condition))
}

func (w *watcher) check(what string, err error) {
	w.t.Helper()
	if err == labtest.ErrStuck && w.again {
		panic(err)
	}
	if err != nil {
		w.t.Fatalf("%s: %v%s", what, err, labtest.Picture(w.ctx, "site-failed"))
	}
}

// view sets the system's theme and the window's width. The width comes second: after a look at paper, the page is
// that of a screen again when its boxes change.
func (w *watcher) view(width int64, theme string) {
	w.t.Helper()
	must.Get(chromedp.Call(w.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}},
	})).Or(w.t)
	must.Get(chromedp.Call(w.ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: 900, DeviceScaleFactor: 1, Mobile: width < 600,
	})).Or(w.t)
}

// visit opens a page from its file, looks at it in three views, moves its sliders, and returns
// their number.
func (w *watcher) visit(dir, page string) (sliders int) {
	t := w.t
	t.Helper()
	w.view(1400, "light")
	w.open("file://" + filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(page))))
	// Without the pictures that are not loaded until they are near.
	const broken = `[...document.images].filter(i => i.complete && i.naturalWidth === 0 && i.loading !== 'lazy').length`
	if got := w.evaluate(broken); got != "0" {
		t.Errorf("%s: %s pictures are broken", page, got)
	}
	const moved = `(await (async () => {
		let moved = 0;
		for (const host of document.querySelectorAll('[data-slider]')) {
			host.scrollIntoView();
			while (!host.querySelector('.marginalia-slider input')) await new Promise((done) => setTimeout(done, 20));
			const input = host.querySelector('input'), before = host.querySelector('.marginalia-figure').innerHTML;
			for (const value of [input.min, input.max]) {
				input.value = value;
				input.dispatchEvent(new Event('input'));
				if (host.querySelector('.marginalia-figure').innerHTML !== before) { moved++; break; }
			}
		}
		scrollTo(0, 0);
		return moved;
	})())`
	total := w.evaluate(`document.querySelectorAll('[data-slider]').length`)
	got := w.evaluate(moved)
	if got != total {
		t.Errorf("%s: %s of %s sliders move", page, got, total)
	}
	fmt.Sscan(got, &sliders)
	// What is laid out has the height that the page has kept free, to a pixel, and can be scrolled
	// with the keys if it is wider than its box. The page's ResizeObserver runs in the next frame.
	const unlike = `(async (blocks) => {
		const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
		await frames();
		const heights = () => blocks.map((e) => e.getBoundingClientRect().height), kept = heights();
		for (const e of blocks) e.style.contentVisibility = 'visible';
		const others = heights().filter((h, i) => Math.abs(h - kept[i]) > 1).length;
		await frames();
		const closed = blocks.filter((e) => e.checkVisibility() && e.parentElement.scrollWidth > e.parentElement.clientWidth && e.parentElement.tabIndex < 0).length;
		for (const e of blocks) e.style.contentVisibility = '';
		return others + closed;
	})([...document.querySelectorAll('.highlight .lines')])`
	backgrounds := map[string]string{}
	for _, v := range []struct {
		name, theme string
		width       int64
	}{{"light", "light", 1400}, {"dark", "dark", 1400}, {"phone", "light", 390}} {
		w.view(v.width, v.theme)
		backgrounds[v.name] = w.evaluate(`getComputedStyle(document.body).backgroundColor`)
		// Furo's content would scroll as a whole.
		if wide := w.evaluate(`Math.max(document.documentElement.scrollWidth - innerWidth, ...[...document.querySelectorAll('.content')].map(e => e.scrollWidth - e.clientWidth), 0)`); wide != "0" {
			t.Errorf("%s, %s: the page is %s pixels wider than its window", page, v.name, wide)
		}
		if image := w.evaluate(`[...document.querySelectorAll('.plot, .marginalia-figure svg')].every(e => (getComputedStyle(e).filter !== 'none') === ` + fmt.Sprint(v.theme == "dark") + `)`); image != "true" {
			t.Errorf("%s, %s: figures do not follow the theme", page, v.name)
		}
		if others := w.evaluate(`await ` + unlike); others != "0" {
			t.Errorf("%s, %s: %s blocks of code have another size than is kept free for them", page, v.name, others)
		}
		if picture := labtest.Picture(w.ctx, "site-"+strings.TrimSuffix(page, ".html")+"-"+v.name); picture != "" {
			t.Log(picture)
		}
	}
	if backgrounds["light"] == backgrounds["dark"] || backgrounds["light"] != backgrounds["phone"] {
		t.Errorf("%s: the backgrounds are %v", page, backgrounds)
	}
	w.quiet(page)
	return sliders
}

// quiet fails if the console says anything.
func (w *watcher) quiet(page string) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.said) > 0 {
		w.t.Errorf("%s: the console says %q", page, w.said)
		w.said = nil
	}
}

// served serves a site until the test ends, and returns its address.
func served(t *testing.T, dir string) string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	started, ended := make(chan string, 1), make(chan error, 1)
	go func() { ended <- Serve(ctx, dir, 0, func(address string) { started <- address }) }()
	select {
	case address := <-started:
		t.Cleanup(func() {
			stop()
			if err := <-ended; err != nil {
				t.Errorf("the server ended with %v", err)
			}
		})
		return address
	case err := <-ended:
		stop()
		t.Fatal(err)
		return ""
	}
}

// checkPrograms opens pages whose programs run: all playgrounds, which axe-core reads too, and a lecture whose slider
// has more values with its program than the notebook stores frames.
func checkPrograms(t *testing.T, browser context.Context, address string) {
	ctx := labtest.Window(t, browser)
	var asked []string // of other hosts
	w := watch(ctx, t, func() []string { return asked })
	if err := chromedp.Listen(ctx, func(event any) {
		if e, ok := event.(*network.EventRequestWillBeSent); ok && !strings.HasPrefix(e.Request.URL, address) && !strings.HasPrefix(e.Request.URL, "data:") {
			w.mu.Lock()
			defer w.mu.Unlock()
			asked = append(asked, e.Request.URL)
		}
	}); err != nil {
		t.Fatal(err)
	}
	w.view(views[phone].width, views[phone].theme)
	w.open(address + "playgrounds.html")
	for i := range 10 { // as play_test.go of package play has it
		host := fmt.Sprintf(`document.querySelectorAll('.playground')[%d]`, i)
		w.evaluate(host + `.scrollIntoView()`)
		labtest.Wait(ctx, t, fmt.Sprintf("the program of playground %d", i), host+`.querySelector('.marginalia-figure svg') !== null`)
	}
	t.Log(labtest.Picture(ctx, "site-playgrounds"))
	w.keys(".playground", "select input button button button select select button div button button button a summary")
	w.audit(axeCore(t), "playgrounds.html", phone)
	w.open(address + "notebooks/04-margins.html")
	w.evaluate(`document.querySelector('[data-slider]').scrollIntoView()`)
	labtest.Wait(ctx, t, "the slider", `document.querySelector('.marginalia-slider input') !== null`)
	labtest.Wait(ctx, t, "the slider's program", `document.querySelector('.marginalia-slider input').step !== '1'`)
	w.keys("[data-slider]", "input button")
	w.quiet("programs")
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(asked) > 0 {
		t.Errorf("the pages ask for %q", asked)
	}
}

// open opens a page.
func (w *watcher) open(address string) {
	w.t.Helper()
	if err := chromedp.Do(w.ctx, chromedp.Navigate(address)); err != nil {
		w.t.Fatalf("%s: %v", address, err)
	}
}

// checkStill opens a lecture without scripts: figures, formulas and code are there, and the hidden
// answers of its exercises open.
func checkStill(t *testing.T, browser context.Context, dir string) {
	for page, want := range map[string][]string{
		"notebooks/04-margins.html":              {`<img class="plot" src="../figures/c-slider.svg"`, `class="formula`, `href="#MJX-`, `<a href="../library/mlkit/svm.html#Classifier">`},
		"notebooks/exercises/01-perceptron.html": {"<summary>Hint</summary>", "Show a solution"},
	} {
		text := read(t, dir, filepath.FromSlash(page))
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s has no %q", page, w)
			}
		}
		if bytes.Contains([]byte(text), []byte("MathJax.js")) || strings.Contains(text, "<mjx-") {
			t.Errorf("%s leaves formulas to a script", page)
		}
	}
	w := &watcher{t: t, ctx: labtest.Window(t, browser)}
	if _, err := chromedp.Call(w.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(w.ctx, chromedp.Navigate("file://"+filepath.ToSlash(filepath.Join(dir, "notebooks", "04-margins.html")))); err != nil {
		t.Fatal(err)
	}
	t.Log(labtest.Picture(w.ctx, "site-without-scripts"))
}
