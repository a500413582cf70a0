package site

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"marginalia/internal/base/setup"
)

// Live builds a site, serves it as [Serve] does, and makes pages anew when the file of a notebook or a page in
// Markdown is saved. Pages that are open in a browser load again then. It tells built the first build, and said what
// happens later; if something is wrong, pages show it, and the old site stays.
func Live(ctx context.Context, root string, o Options, port int, p setup.Progress, first func(Report), started func(address string), said func(string)) error {
	l, err := listen(port) // a port that is taken is said before a build of minutes
	if err != nil {
		return err
	}
	defer l.Close()
	b, r, err := build(ctx, root, o, p)
	if err != nil {
		return err
	}
	first(r)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	news := newNews()
	w := &rebuilder{root: root, o: o, built: b, news: news, said: said}
	saved, err := w.watch(ctx)
	if err != nil {
		return err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.resume(ctx)
		defer func() { w.rest() }()
		w.run(ctx, saved, w.make)
	}()
	err = serve(ctx, news.handler(folder(b.out)), l, started)
	stop(err)
	<-done
	return err
}

// A rebuilder makes pages anew.
type rebuilder struct {
	root string
	o    Options
	*built
	sphinx *resident // nil before the first page
	news   *news
	said   func(string)
}

// stillness is how long no file changes before pages are made: programs write a file in several steps.
const stillness = 50 * time.Millisecond

// watch returns a channel that gets the files that were saved, several at once if they come together.
func (w *rebuilder) watch(ctx context.Context) (<-chan []string, error) {
	fsw, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("site: %w", err)
	}
	if err := w.add(fsw); err != nil {
		fsw.Close()
		return nil, fmt.Errorf("site: %w", err)
	}
	saved := make(chan []string)
	go func() {
		defer fsw.Close()
		quiet := time.NewTimer(time.Hour)
		quiet.Stop()
		var files []string
		for {
			var out chan []string
			select {
			case <-ctx.Done():
				return
			case e := <-fsw.Events:
				if info, err := os.Stat(e.Name); err == nil && info.IsDir() {
					if e.Has(fsnotify.Create) {
						fsw.Add(e.Name) // if it has gone again, so have its files
					}
					continue
				}
				if !sourceFile(e.Name) || e.Op == fsnotify.Chmod {
					continue
				}
				if !slices.Contains(files, e.Name) {
					files = append(files, e.Name)
				}
				quiet.Reset(stillness)
			case <-fsw.Errors: // too many events at once: what is there is read again
				files = append(files, "")
				quiet.Reset(stillness)
			case <-quiet.C:
				out = saved
			}
			if out != nil {
				select {
				case out <- files:
					files = nil
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return saved, nil
}

// sourceFile reports whether a file may be a source of the site.
func sourceFile(name string) bool {
	base := filepath.Base(name)
	return !strings.HasPrefix(base, ".") && slices.Contains([]string{".ipynb", ".md"}, filepath.Ext(base))
}

// add watches the folders that may have sources.
func (w *rebuilder) add(fsw *fsnotify.Watcher) error {
	tops := []string{w.book.dir}
	if !w.book.course() {
		tops = nil
		for _, name := range append([]string{"notebooks"}, documents...) {
			if filepath.Ext(name) == ".md" {
				name = filepath.Dir(name)
			}
			if name == "." {
				if err := fsw.Add(w.root); err != nil {
					return err
				}
				continue
			}
			tops = append(tops, filepath.Join(w.root, name))
		}
	}
	for _, top := range tops {
		err := filepath.WalkDir(top, func(file string, e fs.DirEntry, err error) error {
			if err != nil || !e.IsDir() {
				return err
			}
			if file != top && (w.book.course() && w.book.left(file) || strings.HasPrefix(e.Name(), ".")) {
				return fs.SkipDir
			}
			return fsw.Add(file)
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// run makes pages of saved files anew until ctx ends. A file that something is wrong with is made again with
// the next one, so that its fault stands until it is mended, also if it becomes what the page shows.
func (w *rebuilder) run(ctx context.Context, saved <-chan []string, makes func(context.Context, []string) ([]string, error)) {
	var faulty []string
	var fault error
	for {
		select {
		case <-ctx.Done():
			return
		case files := <-saved:
			for _, file := range faulty {
				if !slices.Contains(files, file) {
					files = append(files, file)
				}
			}
			start, mended := time.Now(), faulty != nil
			pages, err := makes(ctx, files)
			if ctx.Err() != nil {
				return
			}
			if err == nil && slices.ContainsFunc(faulty, begun) {
				err = fault
			}
			faulty, fault = nil, err
			if err != nil {
				faulty = files
				w.said(err.Error())
			}
			switch took := time.Since(start).Seconds(); {
			case len(pages) > 0:
				w.said(fmt.Sprintf("%s, %.1fs", strings.Join(pages[:min(len(pages), 3)], ", "), took))
			case err == nil && mended:
				w.said("mended: the pages are as they were")
			}
			if len(pages) > 0 || err != nil || mended {
				w.news.tell(pages, err)
			}
		}
	}
}

// resume starts Sphinx if it does not run.
func (w *rebuilder) resume(ctx context.Context) error {
	if w.sphinx != nil {
		return nil
	}
	var err error
	w.sphinx, err = w.startResident(ctx)
	return err
}

func (w *rebuilder) rest() {
	if w.sphinx != nil {
		w.sphinx.end()
		w.sphinx = nil
	}
}

// everyPage stands for all pages.
const everyPage = "all pages"

// make makes what saved files change, and returns the pages. A file that has come or gone changes the lists in
// all pages.
func (w *rebuilder) make(ctx context.Context, files []string) (pages []string, wrong error) {
	whole := false
	var sources []string
	for _, file := range files {
		if file != "" && !w.belongs(file) {
			continue
		}
		rel := ""
		if begun(file) {
			continue
		} else if _, err := os.Stat(file); err == nil {
			rel = w.pageFor(file)
		}
		whole = whole || rel == ""
		if rel != "" && !slices.Contains(sources, rel) {
			sources = append(sources, rel)
		}
	}
	for _, rel := range sources {
		if whole {
			break
		}
		if err := w.resume(ctx); err != nil {
			return nil, err
		}
		known := len(w.book.faults)
		made, err := w.again(ctx, w.sphinx, rel)
		for _, fault := range w.book.faults[known:] {
			w.said("warning: " + strings.TrimPrefix(fault.Error(), "site: "))
		}
		if errors.Is(err, errWhole) {
			whole = true
		} else {
			wrong = errors.Join(wrong, err)
		}
		pages = append(pages, made...)
	}
	if !whole {
		return pages, wrong
	}
	w.rest()
	b, r, err := build(ctx, w.root, w.o, nil)
	if err != nil {
		return nil, err
	}
	w.built = b
	for _, fault := range r.Faults {
		w.said("warning: " + strings.TrimPrefix(fault.Error(), "site: "))
	}
	return []string{everyPage}, w.resume(ctx)
}

// begun reports whether a program begins to write a file: nothing is in it yet.
func begun(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Size() == 0
}

// belongs reports whether a file is, was or may become a source of the site.
func (w *rebuilder) belongs(file string) bool {
	if w.pageFor(file) != "" {
		return true
	}
	rel := w.book.rel(file)
	if w.book.course() {
		return w.book.holds(rel)
	}
	if filepath.Ext(file) == ".md" {
		return slices.ContainsFunc(documents, func(d string) bool { return rel == d || strings.HasPrefix(rel, d+"/") }) && !lecturersOnly(rel) ||
			strings.HasPrefix(rel, courseFolder+"/")
	}
	return strings.HasPrefix(rel, "notebooks/")
}
