package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"marginalia/internal/base/mnistfiles"
)

// attempts is the maximum number of requests for a file at one mirror.
const attempts = 5

// A fetcher downloads files from mirrors into a directory.
type fetcher struct {
	files    []mnistfiles.File
	mirrors  []string      // URLs of directories with the files NAME.gz
	dir      string        // destination, created if it does not exist
	log      io.Writer     // progress, line by line
	patience time.Duration // how long a mirror may send nothing
	report   time.Duration // interval between progress lines
}

// fetch downloads the files that are missing from the directory. It holds a lock
// meanwhile: a second process waits and then finds the files.
func (f *fetcher) fetch(ctx context.Context) error {
	if len(f.missing()) == 0 {
		return nil
	}
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return err
	}
	unlock, err := lock(ctx, filepath.Join(f.dir, "lock"), func(holder string) {
		fmt.Fprintf(f.log, "MNIST: waiting for %s, which downloads it\n", holder)
	})
	if err != nil {
		return err
	}
	defer unlock()
	files := f.missing()
	if len(files) > 0 {
		fmt.Fprintf(f.log, "MNIST: downloading %d of its 4 files, once, into %s\n", len(files), f.dir)
	}
	for _, file := range files {
		if err := f.fetchFile(ctx, file); err != nil {
			return err
		}
	}
	return nil
}

func (f *fetcher) missing() []mnistfiles.File {
	var files []mnistfiles.File
	for _, file := range f.files {
		if !file.Cached(f.dir) {
			files = append(files, file)
		}
	}
	return files
}

// fetchFile tries the mirrors one after the other.
func (f *fetcher) fetchFile(ctx context.Context, file mnistfiles.File) error {
	var failed []error
	for _, mirror := range f.mirrors {
		err := f.fromMirror(ctx, file, strings.TrimSuffix(mirror, "/")+"/"+file.Name+".gz")
		if err == nil {
			return nil
		}
		var onDisk *os.PathError
		if errors.As(err, &onDisk) {
			return err // another mirror would not help
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%s: %w; what has come is kept for the next time", file.Name, context.Cause(ctx))
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// fromMirror downloads a file into NAME.gz.part, resuming an earlier download, and
// installs it when it is complete. It retries a broken connection as long as each attempt
// brings some data.
func (f *fetcher) fromMirror(ctx context.Context, file mnistfiles.File, address string) error {
	part := filepath.Join(f.dir, file.Name+".gz.part")
	for attempt := 1; ; attempt++ {
		before := sizeOf(part)
		err := f.get(ctx, address, part)
		var broken *brokenError
		if errors.As(err, &broken) && sizeOf(part) > before && attempt < attempts && ctx.Err() == nil {
			continue
		}
		if err != nil {
			return err
		}
		err = file.Install(f.dir, part)
		var onDisk *os.PathError
		if errors.As(err, &onDisk) {
			return err
		}
		if removed := os.Remove(part); removed != nil {
			return removed
		}
		if err == nil {
			return nil
		}
		// The resumed part may be from a mirror with other bytes: download the whole file again.
		if before > 0 && attempt < attempts {
			continue
		}
		return fmt.Errorf("%s: %s", address, strings.TrimPrefix(err.Error(), part+": "))
	}
}

// A brokenError reports a download that ended early. The data received are in the file.
type brokenError struct {
	address string
	err     error
}

func (e *brokenError) Error() string { return fmt.Sprintf("%s: broken off: %v", e.address, e.err) }
func (e *brokenError) Unwrap() error { return e.err }

// client has no overall timeout, since get watches for incoming data. Transparent
// decompression is off, because a Range counts the bytes of the compressed file.
var client = &http.Client{Transport: &http.Transport{
	Proxy:               http.ProxyFromEnvironment,
	DialContext:         (&net.Dialer{Timeout: 15 * time.Second}).DialContext,
	TLSHandshakeTimeout: 15 * time.Second,
	DisableCompression:  true,
	ForceAttemptHTTP2:   true,
}}

// get appends the rest of the content at address to the file part, or rewrites the file
// if the server can't resume.
func (f *fetcher) get(ctx context.Context, address, part string) error {
	have := sizeOf(part)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(f.patience, func() { cancel(fmt.Errorf("no data for %v", f.patience)) })
	defer watch.Stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	if have > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
	}
	resp, err := client.Do(req)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err
		}
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return fmt.Errorf("%s: %w", address, err)
	}
	defer resp.Body.Close()
	mode := os.O_APPEND
	switch {
	case resp.StatusCode == http.StatusPartialContent && strings.HasPrefix(resp.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", have)):
	case resp.StatusCode == http.StatusRequestedRangeNotSatisfiable && have > 0:
		return nil // the file is complete; its sum will be checked
	case resp.StatusCode == http.StatusOK:
		mode, have = os.O_TRUNC, 0
	default:
		return fmt.Errorf("%s: the server answers %s", address, resp.Status)
	}
	out, err := os.OpenFile(part, os.O_CREATE|os.O_WRONLY|mode, 0o644)
	if err != nil {
		return err
	}
	defer out.Close()
	p := progress{log: f.log, every: f.report, name: filepath.Base(address), host: req.URL.Host, have: have, total: -1}
	if resp.ContentLength >= 0 {
		p.total = have + resp.ContentLength
	}
	p.start()
	body := io.TeeReader(resp.Body, writerFunc(func(b []byte) (int, error) {
		watch.Reset(f.patience)
		p.add(len(b))
		return len(b), nil
	}))
	_, err = io.Copy(out, io.LimitReader(body, maxDownload))
	var onDisk *os.PathError
	if errors.As(err, &onDisk) {
		return err
	}
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return &brokenError{address, err}
	}
	return out.Close()
}

// maxDownload limits the bytes written for one response. The largest file has 10 MB, or
// 47 MB if a server sends it uncompressed.
const maxDownload = 64 << 20

type writerFunc func([]byte) (int, error)

func (w writerFunc) Write(b []byte) (int, error) { return w(b) }

func sizeOf(path string) int64 {
	fi, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return fi.Size()
}
