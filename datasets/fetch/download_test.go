package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"marginalia/internal/base/mnistfiles"
	"marginalia/internal/testkit/must"
)

// content is what the test servers serve as NAME.gz: bytes that gzip cannot compress, long
// enough to cut a download in the middle.
func content() (plain, packed []byte, file mnistfiles.File) {
	c := contentOnce()
	return c.plain, c.packed, c.file
}

type testContent struct {
	plain, packed []byte
	file          mnistfiles.File
}

var contentOnce = sync.OnceValue(func() testContent {
	var plain []byte
	for i := range uint64(4096) {
		sum := sha256.Sum256([]byte{byte(i), byte(i >> 8)})
		plain = append(plain, sum[:]...)
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(plain)
	w.Close()
	sum := sha256.Sum256(plain)
	return testContent{plain, b.Bytes(), mnistfiles.File{Name: "digits", Size: int64(len(plain)), Sum: hex.EncodeToString(sum[:])}}
})

// newFetcher returns a fetcher of the test file into an empty directory.
func newFetcher(t *testing.T, mirrors ...string) (*fetcher, *bytes.Buffer) {
	t.Helper()
	_, _, file := content()
	var log bytes.Buffer
	return &fetcher{
		files:    []mnistfiles.File{file},
		mirrors:  mirrors,
		dir:      filepath.Join(t.TempDir(), "cache"),
		log:      &log,
		patience: time.Minute,
		report:   time.Hour,
	}, &log
}

// serve starts a server that calls answer for each request and counts the requests.
func serve(t *testing.T, answer func(n int32, w http.ResponseWriter, r *http.Request)) (address string, requests *atomic.Int32) {
	t.Helper()
	requests = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer(requests.Add(1), w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL, requests
}

// whole serves the file and supports range requests.
func whole(_ int32, w http.ResponseWriter, r *http.Request) {
	_, packed, _ := content()
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(packed))
}

// cut sends the first n bytes of the file and breaks the connection.
func cut(w http.ResponseWriter, n int) {
	_, packed, _ := content()
	w.Header().Set("Content-Length", fmt.Sprint(len(packed)))
	w.Write(packed[:n])
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// wantInstalled checks that the directory has the file and no unfinished download.
func wantInstalled(t *testing.T, f *fetcher) {
	t.Helper()
	plain, _, file := content()
	got := must.Get(os.ReadFile(filepath.Join(f.dir, file.Name))).Or(t)
	if !bytes.Equal(got, plain) {
		t.Fatalf("the installed file has %d bytes that are not the content", len(got))
	}
	wantOnly(t, f, file.Name, "lock")
}

func wantOnly(t *testing.T, f *fetcher, names ...string) {
	t.Helper()
	entries := must.Get(os.ReadDir(f.dir)).Or(t)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if fmt.Sprint(got) != fmt.Sprint(names) {
		t.Errorf("the cache has %v, want %v", got, names)
	}
}

func TestFetch(t *testing.T) {
	address, requests := serve(t, whole)
	f, log := newFetcher(t, address)
	must.Do(t, f.fetch(t.Context()))
	wantInstalled(t, f)
	if lines := strings.Count(log.String(), "\n"); lines != 2 || strings.Contains(log.String(), "\r") {
		t.Errorf("the log should have one line at the start and one for the file:\n%s", log)
	}
	log.Reset()
	must.Do(t, f.fetch(t.Context()))
	if requests.Load() != 1 || log.Len() > 0 {
		t.Errorf("with nothing to do: %d requests in all, want 1; log %q, want none", requests.Load(), log)
	}
}

func TestResumeWithinOneRun(t *testing.T) {
	_, packed, _ := content()
	var ranges []string
	address, _ := serve(t, func(n int32, w http.ResponseWriter, r *http.Request) {
		ranges = append(ranges, r.Header.Get("Range"))
		if n == 1 {
			cut(w, len(packed)/2)
		}
		whole(n, w, r)
	})
	f, _ := newFetcher(t, address)
	must.Do(t, f.fetch(t.Context()))
	wantInstalled(t, f)
	if want := fmt.Sprintf("bytes=%d-", len(packed)/2); len(ranges) != 2 || ranges[0] != "" || ranges[1] != want {
		t.Errorf("ranges asked for: %q, want none and %q", ranges, want)
	}
}

func TestResumeInNextRun(t *testing.T) {
	_, packed, file := content()
	half := len(packed) / 2
	stalled := make(chan struct{})
	address, _ := serve(t, func(n int32, w http.ResponseWriter, r *http.Request) {
		if n > 1 {
			whole(n, w, r)
			return
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(packed)))
		w.Write(packed[:half])
		w.(http.Flusher).Flush()
		<-stalled
	})
	f, _ := newFetcher(t, address)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for sizeOf(filepath.Join(f.dir, file.Name+".gz.part")) < int64(half) {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	err := f.fetch(ctx)
	close(stalled)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("cancelled fetch returns %v", err)
	}
	wantOnly(t, f, file.Name+".gz.part", "lock")
	must.Do(t, f.fetch(t.Context()))
	wantInstalled(t, f)
}

// leave writes a file into the cache, as an earlier run might have.
func leave(t *testing.T, f *fetcher, name string, data []byte) {
	t.Helper()
	must.Do(t, os.MkdirAll(f.dir, 0o755))
	must.Do(t, os.WriteFile(filepath.Join(f.dir, name), data, 0o644))
}

// What an earlier run left is completed, or fetched anew, whatever the server does with ranges. Some
// servers send the content uncompressed.
func TestLeftParts(t *testing.T) {
	plain, packed, file := content()
	send := func(data []byte) func(int32, http.ResponseWriter, *http.Request) {
		return func(_ int32, w http.ResponseWriter, _ *http.Request) { w.Write(data) }
	}
	for _, tt := range []struct {
		name     string
		part     []byte
		answer   func(n int32, w http.ResponseWriter, r *http.Request)
		requests int32
	}{
		{"a server without ranges", packed[:1000], send(packed), 1},
		{"a complete part", packed, whole, 1},                     // the answer to a range that starts at the end is 416
		{"a damaged part", make([]byte, len(packed)/3), whole, 2}, // the rest, then all of it
		{"uncompressed content", nil, send(plain), 1},
	} {
		address, requests := serve(t, tt.answer)
		f, _ := newFetcher(t, address)
		if tt.part != nil {
			leave(t, f, file.Name+".gz.part", tt.part)
		}
		if err := f.fetch(t.Context()); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		wantInstalled(t, f)
		if requests.Load() != tt.requests {
			t.Errorf("%s: %d requests, want %d", tt.name, requests.Load(), tt.requests)
		}
	}
}

func TestBadMirrors(t *testing.T) {
	plain, packed, file := content()
	other := bytes.Clone(plain)
	other[0]++
	short, _ := serve(t, func(_ int32, w http.ResponseWriter, r *http.Request) { w.Write(packed[:len(packed)/2]) })
	wrong, _ := serve(t, func(_ int32, w http.ResponseWriter, r *http.Request) { w.Write(other) })
	none, _ := serve(t, func(_ int32, w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) })
	page, _ := serve(t, func(_ int32, w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<html>log in</html>") })
	silent, _ := serve(t, func(_ int32, w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(time.Minute):
		}
	})
	closed := httptest.NewServer(nil)
	closed.Close()
	good, _ := serve(t, whole)
	tests := []struct {
		name, address string
		want          string // in the error
	}{
		{"wrong sum", wrong, "want " + file.Sum},
		{"404", none, "the server answers 404 Not Found"},
		{"a page", page, "SHA-256"},
		{"truncated gzip", short, "unexpected EOF"},
		{"nobody there", closed.URL, "refused"},
		{"silence", silent, "no data for 100ms"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, _ := newFetcher(t, tt.address)
			if tt.name == "silence" {
				f.patience = 100 * time.Millisecond
			}
			err := f.fetch(t.Context())
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), tt.address) {
				t.Errorf("error %v, want %q and the address", err, tt.want)
			}
			wantOnly(t, f, "lock")

			f.mirrors = []string{tt.address, good}
			for err = f.fetch(t.Context()); err != nil && f.patience < time.Minute; err = f.fetch(t.Context()) {
				f.patience *= 2 // a busy computer may look like a silent mirror
			}
			if err != nil {
				t.Fatalf("with a good mirror after it: %v", err)
			}
			wantInstalled(t, f)
		})
	}
}

// A mirror that always breaks the connection is given up after attempts requests.
// A mirror that breaks every connection is given up after some attempts. What the longest of
// them brought, the last, is kept for the next time.
func TestAlwaysBroken(t *testing.T) {
	address, requests := serve(t, func(n int32, w http.ResponseWriter, r *http.Request) { cut(w, 1000*int(n)) })
	f, _ := newFetcher(t, address)
	err := f.fetch(t.Context())
	var broken *brokenError
	if !errors.As(err, &broken) {
		t.Fatalf("error %v, want a broken download", err)
	}
	if requests.Load() != attempts {
		t.Errorf("%d requests, want %d", requests.Load(), attempts)
	}
	_, packed, file := content()
	wantOnly(t, f, file.Name+".gz.part", "lock")
	part, err := os.ReadFile(filepath.Join(f.dir, file.Name+".gz.part"))
	if err != nil || !bytes.Equal(part, packed[:1000*attempts]) {
		t.Errorf("the unfinished download has %d bytes, %v, want the first %d of the file", len(part), err, 1000*attempts)
	}
}

func TestReadOnlyDirectory(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("needs permissions that bind this user")
	}
	address, requests := serve(t, whole)
	f, _ := newFetcher(t, address)
	must.Do(t, os.Chmod(filepath.Dir(f.dir), 0o555))
	t.Cleanup(func() { os.Chmod(filepath.Dir(f.dir), 0o755) })
	err := f.fetch(t.Context())
	if !errors.Is(err, os.ErrPermission) || !strings.Contains(err.Error(), f.dir) {
		t.Errorf("error %v, want permission denied for %s", err, f.dir)
	}
	if requests.Load() != 0 {
		t.Errorf("%d requests, want none", requests.Load())
	}
}

// Disk errors are not blamed on the mirror. For any user they arise from a file in place of
// the directory, and from a directory in place of the download.
func TestDiskErrors(t *testing.T) {
	address, requests := serve(t, whole)
	f, _ := newFetcher(t, address, address)
	must.Do(t, os.WriteFile(f.dir, nil, 0o644))
	if err := f.fetch(t.Context()); err == nil || !strings.Contains(err.Error(), f.dir) {
		t.Errorf("file in place of the directory: error %v, want one that names %s", err, f.dir)
	}
	f, _ = newFetcher(t, address, address)
	part := filepath.Join(f.dir, "digits.gz.part")
	must.Do(t, os.MkdirAll(part, 0o755))
	if err := f.fetch(t.Context()); err == nil || !strings.Contains(err.Error(), part) {
		t.Errorf("directory in place of the download: error %v, want one that names %s", err, part)
	}
	if requests.Load() != 1 {
		t.Errorf("%d requests, want 1: the second mirror does not help", requests.Load())
	}
}

// Two fetchers hold different open files, so the lock excludes them from each other like
// two processes.
func TestTwoAtOnce(t *testing.T) {
	address, requests := serve(t, func(n int32, w http.ResponseWriter, r *http.Request) {
		time.Sleep(200 * time.Millisecond)
		whole(n, w, r)
	})
	a, _ := newFetcher(t, address)
	b, _ := newFetcher(t, address)
	b.dir = a.dir
	var wg sync.WaitGroup
	for _, f := range []*fetcher{a, b} {
		wg.Go(func() {
			if err := f.fetch(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	wantInstalled(t, a)
	if requests.Load() != 1 {
		t.Errorf("%d requests, want 1", requests.Load())
	}
}

func TestWaitingEnds(t *testing.T) {
	f, log := newFetcher(t, "http://unused.invalid")
	must.Do(t, os.MkdirAll(f.dir, 0o755))
	unlock := must.Get(lock(t.Context(), filepath.Join(f.dir, "lock"), func(string) {})).Or(t)
	defer unlock()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	f.log = writerFunc(func(b []byte) (int, error) {
		cancel() // as soon as it says that it is waiting
		return log.Write(b)
	})
	if err := f.fetch(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of its context", err)
	}
	if !strings.Contains(log.String(), fmt.Sprintf("waiting for process %d, which downloads it", os.Getpid())) {
		t.Errorf("log %q does not say that it waits", log)
	}
}

func TestProgressLines(t *testing.T) {
	var log bytes.Buffer
	p := progress{log: &log, name: "a.gz", host: "example.org", total: 9_900_000}
	p.start()
	p.add(3_100_000)
	p = progress{log: &log, every: time.Hour, name: "a.gz", host: "example.org", have: 500_000, total: 9_900_000}
	p.start()
	p.add(1)
	const want = `MNIST: a.gz from example.org: 9.9 MB
MNIST: a.gz: 3.1 MB of 9.9 MB
MNIST: a.gz goes on from example.org: 500 kB of 9.9 MB
`
	if log.String() != want {
		t.Errorf("got\n%swant\n%s", &log, want)
	}
}
