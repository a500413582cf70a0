package site

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path"
	"strconv"
	"strings"
	"time"
)

// Serve serves a site to this computer until ctx ends, and tells started its address. Port 0 is any
// that is free.
func Serve(ctx context.Context, dir string, port int, started func(address string)) error {
	if _, err := os.Stat(dir); err != nil {
		return fmt.Errorf("site: %w", err)
	}
	l, err := listen(port)
	if err != nil {
		return err
	}
	return serve(ctx, files(folder(dir)), l, started)
}

func listen(port int) (net.Listener, error) {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, fmt.Errorf("site: port %d is taken: name another with --port, or 0 for any: %w", port, err)
	}
	return l, nil
}

func serve(ctx context.Context, site http.Handler, l net.Listener, started func(address string)) error {
	server := &http.Server{Handler: site, ReadHeaderTimeout: 10 * time.Second}
	stopped := context.AfterFunc(ctx, func() { server.Close() })
	defer stopped()
	started("http://" + l.Addr().String() + "/")
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("site: %w", err)
	}
	return nil
}

// A folder is a site that another may replace while it is served. Nothing outside of it can be opened.
type folder string

// Open opens a file of the site.
func (f folder) Open(name string) (fs.File, error) {
	root, err := os.OpenRoot(string(f))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.FS().Open(name)
}

// files serves a site as web servers on the internet do: text compressed by gzip, and kept by
// browsers if its version stands in its address. Browsers ask again for everything else, which costs
// no transfer unless it has changed.
func files(site fs.FS) http.Handler {
	server := http.FileServerFS(site)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-cache")
		if r.URL.Query().Has("v") {
			h.Set("Cache-Control", "public, max-age=31536000, immutable")
		}
		if !text[path.Ext(r.URL.Path)] {
			server.ServeHTTP(w, r)
			return
		}
		h.Set("Vary", "Accept-Encoding")
		if r.Method != http.MethodGet || !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") || r.Header.Get("Range") != "" {
			server.ServeHTTP(w, r)
			return
		}
		h.Set("Content-Encoding", "gzip") // the server of files then leaves out the length
		z := &zipped{ResponseWriter: w}
		defer z.close()
		server.ServeHTTP(z, r)
	})
}

// text has the extensions of files that gzip makes smaller; "" is that of a folder, whose page is
// index.html.
var text = map[string]bool{"": true, ".html": true, ".css": true, ".js": true, ".json": true, ".svg": true, ".txt": true, ".ipynb": true}

// zipped compresses a body, unless the answer is not a file or has no body.
type zipped struct {
	http.ResponseWriter
	gzip *gzip.Writer
}

func (z *zipped) WriteHeader(status int) {
	if status != http.StatusOK {
		z.Header().Del("Content-Encoding")
	} else if z.gzip == nil {
		z.gzip = gzip.NewWriter(z.ResponseWriter)
	}
	z.ResponseWriter.WriteHeader(status)
}

func (z *zipped) Write(b []byte) (int, error) {
	if z.gzip == nil {
		return z.ResponseWriter.Write(b)
	}
	return z.gzip.Write(b)
}

func (z *zipped) close() {
	if z.gzip != nil {
		z.gzip.Close() // an error means that the browser has gone
	}
}
