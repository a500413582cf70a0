package site

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"sync"
	"time"
)

// News reach the pages that are open, by server-sent events (HTML Living Standard, WHATWG, section 9.2). A page that
// is served so has the script reload.js, which the folder of the site has not.
type news struct {
	mu    sync.Mutex
	open  map[chan event]bool
	fault string // what pages show until it is mended
	told  int    // how often there were news
}

//go:embed page/reading/reload.js
var reloadScript []byte

const (
	reloadName = "/_reload.js"
	newsName   = "/_news"
)

func newNews() *news { return &news{open: map[chan event]bool{}} }

// An event is what a page hears.
type event struct {
	Pages []string `json:"pages"`
	Fault string   `json:"fault"`
}

// tell tells all open pages which have been made anew, or what is wrong.
func (n *news) tell(pages []string, fault error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.fault = ""
	if fault != nil {
		n.fault = fault.Error()
	}
	n.told++
	for c := range n.open {
		e := event{pages, n.fault}
		select {
		case <-c: // it has not heard yet of others
			e.Pages = []string{everyPage}
		default:
		}
		c <- e
	}
}

// times is how often there were news: a page that was hidden learns by it whether it has missed some.
func (n *news) times() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.told
}

// handler serves a site whose pages hear of news.
func (n *news) handler(site fs.FS) http.Handler {
	pages := files(listening{site, n})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case reloadName:
			w.Header().Set("Content-Type", "text/javascript")
			w.Header().Set("Cache-Control", "no-cache")
			w.Write(reloadScript) // an error means that the browser has gone
		case newsName:
			n.serve(w, r)
		default:
			pages.ServeHTTP(w, r)
		}
	})
}

// serve writes news to a page until it closes.
func (n *news) serve(w http.ResponseWriter, r *http.Request) {
	c := make(chan event, 1)
	n.mu.Lock()
	n.open[c] = true
	e := event{Fault: n.fault}
	n.mu.Unlock()
	defer func() {
		n.mu.Lock()
		delete(n.open, c)
		n.mu.Unlock()
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	for {
		data, err := json.Marshal(struct {
			event
			Told int `json:"told"`
		}{e, n.times()})
		if err == nil {
			_, err = fmt.Fprintf(w, "data: %s\n\n", data)
		}
		if err == nil {
			err = http.NewResponseController(w).Flush()
		}
		if err != nil { // the browser has gone
			return
		}
		select {
		case <-r.Context().Done():
			return
		case e = <-c:
		}
	}
}

// listening is a site whose pages have the script, with the number of news before they were read.
type listening struct {
	fs.FS
	news *news
}

// Open opens a file of the site.
func (l listening) Open(name string) (fs.File, error) {
	f, err := l.FS.Open(name)
	if err != nil || path.Ext(name) != ".html" {
		return f, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.IsDir() {
		return l.FS.Open(name)
	}
	script := fmt.Sprintf(`<script defer src="%s" data-told="%d"></script></body>`, reloadName, l.news.times())
	text, err := fs.ReadFile(l.FS, name)
	text = bytes.Replace(text, []byte("</body>"), []byte(script), 1)
	return &livePage{bytes.NewReader(text), info}, err
}

// A livePage is a file with another content than on the disk, which may change twice in a second: it has no time.
type livePage struct {
	*bytes.Reader
	fs.FileInfo
}

func (p *livePage) Stat() (fs.FileInfo, error) { return p, nil }
func (p *livePage) ModTime() time.Time         { return time.Time{} }
func (p *livePage) Size() int64                { return p.Reader.Size() }
func (p *livePage) Close() error               { return nil }
