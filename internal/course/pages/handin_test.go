//go:build browser

package pages

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/course/release"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

const answer = "func Mean(x []float64) (float64, error) {\n\treturn 42, nil\n}"

// place is where a cell of a notebook stands.
func place(t *testing.T, nb *nbformat.Notebook, id string) int {
	t.Helper()
	i := slices.IndexFunc(nb.Cells, func(c *nbformat.Cell) bool { return c.ID == id })
	if i < 0 {
		t.Fatalf("there is no cell %s", id)
	}
	return i
}

// TestHandIn does in the pages what students do, without running cells, which internal/cli does.
func TestHandIn(t *testing.T) {
	tier.Browser(t)
	h, browser := newServer(t), labtest.Chromium(t)
	t.Run("download", func(t *testing.T) { downloadAndRenew(desk{labtest.Window(t, browser), t}, h) })
	t.Run("send", func(t *testing.T) { send(desk{labtest.Window(t, browser), t}, h) })
	t.Run("phone", func(t *testing.T) {
		d := desk{labtest.Window(t, browser), t}
		d.phone()
		c := example(t, "[assignment.ps0]\ndue = 2027-03-01T23:59:00\n")
		h.put("phone", c, must.Get(release.Make(c, "ps0")).Or(t))
		d.do(chromedp.Navigate(h.URL + "/phone/"))
		d.picture("index")
		d.enter(h.URL + "/phone/")
		d.picture("lab")
		d.download(func() { labtest.Choose(d, t, "File", "marginalia:hand-in") })
		d.dialog("Your notebook is downloaded")
		d.picture("downloaded")
	})
}

// downloadAndRenew answers, reloads, hands in by the file, and meets a newer release.
func downloadAndRenew(d desk, h *server) {
	t := d.t
	c := example(t, "[assignment.ps0]\ndue = 2027-03-01T23:59:00\n")
	a := must.Get(release.Make(c, "ps0")).Or(t)
	h.put("download", c, a)
	at := place(t, a.Notebooks[0].Release, "mean")
	d.do(chromedp.Navigate(h.URL + "/download/"))
	if got := labtest.Value[string](d, t, `document.body.innerText`); !strings.Contains(got, "Due Monday, 1 March 2027, 23:59 (UTC)") || strings.Contains(got, "WebAssembly") {
		t.Errorf("the page says\n%s", got)
	}
	d.picture("index")
	d.enter(h.URL + "/download/")
	d.picture("lab")
	d.write(at, answer)
	name, text := d.download(func() { d.do(chromedp.Click(chromedp.CSS(button))) })
	if got := d.dialog("Your notebook is downloaded"); name != "ps0.ipynb" || !strings.Contains(got, "ps0.ipynb is among your downloads") {
		t.Errorf("%s is downloaded, and the dialog says %q", name, got)
	}
	d.picture("downloaded")
	d.choose(accept)
	if got := must.Get(nbformat.Decode(text)).Or(t).Cells[at].Source; got != answer {
		t.Errorf("the answer in the file is %q", got)
	}
	d.enter(h.URL + "/download/")
	d.shows("return 42") // after the page was left

	source := filepath.Join(c.Dir, "source", "ps0", "ps0.ipynb")
	testfile.Write(t, source, strings.Replace(string(must.Get(os.ReadFile(source)).Or(t)), "One of a thousand", "Two of a thousand", 1))
	a = must.Get(release.Make(c, "ps0")).Or(t)
	h.put("download", c, a)
	d.enter(h.URL + "/download/")
	d.dialog("There is a newer version of this assignment")
	d.picture("newer")
	d.choose(reject)
	d.shows("return 42")
	d.shows("One of a thousand")
	d.enter(h.URL + "/download/")
	d.dialog("There is a newer version of this assignment")
	d.choose(accept)
	d.shows("Two of a thousand")
	d.shows("return 42")
	d.wait("the copy", `[...document.querySelectorAll(".jp-DirListing-itemText")].some((e) => e.innerText === "ps0 (copy).ipynb")`)
	d.picture("renewed")
	d.wait("the store", `await new Promise((resolve) => { const ask = indexedDB.open("JupyterLite Storage - /download/lab/"); ask.onsuccess = () => { const got = ask.result.transaction("files").objectStore("files").get("ps0.ipynb"); got.onsuccess = () => resolve(JSON.stringify(got.result).includes("Two of a thousand")); }; })`)
	d.enter(h.URL + "/download/")
	name, text = d.download(func() { d.do(chromedp.Click(chromedp.CSS(button))) })
	if nb := must.Get(nbformat.Decode(text)).Or(t); name != "ps0.ipynb" || nb.Cells[at].Source != answer || len(nb.Cells) != len(a.Notebooks[0].Release.Cells) {
		t.Errorf("%s has the cells\n%s", name, text)
	}
}

// shows waits until the notebook shows a text.
func (d desk) shows(text string) {
	d.t.Helper()
	d.wait(text, `document.querySelector("`+panel+`").innerText.includes(`+strconv.Quote(text)+`)`)
}

// send hands in at an address of another host, which refuses at first.
func send(d desk, h *server) {
	t := d.t
	var refuses atomic.Bool
	refuses.Store(true)
	got := make(chan string, 2)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", h.URL)
		if refuses.Load() {
			http.Error(w, "full", http.StatusInsufficientStorage)
			return
		}
		if r.Method == http.MethodGet { // see below
			return
		}
		f, header, err := r.FormFile("notebook")
		if err != nil {
			t.Errorf("the form: %v", err)
			return
		}
		text, err := io.ReadAll(f)
		got <- fmt.Sprint(r.Method, " ", r.FormValue("assignment"), " ", r.FormValue("student"), " ", header.Filename, " ", strings.Contains(string(text), "return 42, nil"), err)
	}))
	defer other.Close()
	c := example(t, "[assignment.ps0]\nhand_in = \""+other.URL+"/hand-in\"\n")
	a := must.Get(release.Make(c, "ps0")).Or(t)
	h.put("send", c, a)
	d.enter(h.URL + "/send/")
	d.write(place(t, a.Notebooks[0].Release, "mean"), answer)
	press := func() {
		d.do(chromedp.Click(chromedp.CSS(button)))
		d.dialog("Hand in")
	}
	press()
	d.do(chromedp.Click(chromedp.CSS(`.jp-Dialog input`)))
	d.do(labtest.Keys("anna"))
	d.picture("id")
	d.choose(accept)
	if said := d.dialog("Not handed in"); !strings.Contains(said, "answers 507") || !strings.Contains(said, "Your work is still here") {
		t.Errorf("the dialog says %q", said)
	}
	d.picture("refused")
	if name, text := d.download(func() { d.choose(accept) }); name != "ps0.ipynb" || !strings.Contains(string(text), "return 42, nil") {
		t.Errorf("%s is downloaded:\n%s", name, text)
	}
	refuses.Store(false)
	press()
	d.choose(accept) // the id is remembered
	if said := d.dialog("Handed in"); !strings.Contains(said, "ps0.ipynb was handed in for anna") {
		t.Errorf("the dialog says %q", said)
	}
	d.picture("sent")
	if said, want := <-got, "POST ps0 anna ps0.ipynb true <nil>"; said != want {
		t.Errorf("the address has got %q, want %q", said, want)
	}
	d.choose(accept)
	for address, want := range map[string]bool{"/hand-in": true, "/hand-in/else": false, "/": false} {
		if reached := labtest.Value[bool](d, t, `await fetch("`+other.URL+address+`", {mode: "no-cors"}).then(() => true, () => false)`); reached != want {
			t.Errorf("the page reaches %s: %v, want %v", address, reached, want)
		}
	}
	other.Close()
	press()
	d.choose(accept)
	if said := d.dialog("Not handed in"); !strings.Contains(said, "can’t be reached") {
		t.Errorf("the dialog says %q", said)
	}
}

// What cells import and no page can have is named, and nothing is left of the pages.
func TestUnserved(t *testing.T) {
	tier.Browser(t)
	out := filepath.Join(t.TempDir(), "public")
	m := must.Get(begin(out)).Or(t)
	err := m.golang(t.Context(), repotest.Root(t), []string{"fmt", "example.org/none"}, nil)
	if err == nil || !strings.Contains(err.Error(), "example.org/none") {
		t.Errorf("the error is %v", err)
	}
	m.Remove()
	if left := must.Get(os.ReadDir(filepath.Dir(out))).Or(t); len(left) != 0 {
		t.Errorf("%v are left", left)
	}
}
