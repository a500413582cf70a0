package site

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"marginalia/internal/display"
	"marginalia/internal/nbformat"
	"marginalia/internal/repo"
	"marginalia/internal/site/live"
)

// What moves in pages is Go in WebAssembly: the playgrounds, and the programs of the lectures'
// sliders. It is linked again only after a change of what it is built of.

// living are the parts of the site that move.
type living struct {
	dir         string           // their files, which the site has in the folder live
	playgrounds live.Playgrounds // in the order of the lectures
	sliders     map[string]int   // by lecture, those that have a program
}

// buildLiving builds it in a folder of the cache.
func buildLiving(ctx context.Context, root, dir string) (living, error) {
	l := living{dir: filepath.Join(dir, "files"), sliders: map[string]int{}}
	library, err := sumOfPrograms(root)
	if err != nil {
		return l, err
	}
	// Nothing of another library's programs stays.
	err = kept(filepath.Join(dir, "library.json"), library, new(bool), func() error {
		return errors.Join(os.RemoveAll(dir), os.MkdirAll(l.dir, 0o755))
	})
	if err != nil {
		return l, fmt.Errorf("site: %w", err)
	}
	lectures, err := repo.Lectures(root)
	if err != nil {
		return l, err
	}
	counts := make([]int, len(lectures))
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(runtime.GOMAXPROCS(0))
	work.Go(func() error {
		return kept(filepath.Join(dir, "playgrounds.json"), library, &l.playgrounds, func() error {
			var err error
			l.playgrounds, err = live.Build(ctx, root, l.dir)
			return err
		})
	})
	for i, file := range lectures {
		work.Go(func() error {
			code, err := codeOf(file)
			if err != nil {
				return err
			}
			name := strings.TrimSuffix(filepath.Base(file), ".ipynb")
			return kept(filepath.Join(dir, name+".json"), code, &counts[i], func() error {
				var err error
				counts[i], err = live.Lecture(ctx, root, file, l.dir)
				return err
			})
		})
	}
	if err := work.Wait(); err != nil {
		return l, err
	}
	for i, file := range lectures {
		l.sliders["notebooks/"+filepath.Base(file)] = counts[i]
	}
	return l, nil
}

// kept calls build unless it has been called with the same key, and keeps the result in a file.
func kept[T any](file, key string, result *T, build func() error) error {
	var last struct {
		Key    string
		Result T
	}
	if data, err := os.ReadFile(file); err == nil && json.Unmarshal(data, &last) == nil && last.Key == key {
		*result = last.Result
		return nil
	}
	if err := os.RemoveAll(file); err != nil { // a build that is killed is not continued
		return fmt.Errorf("site: %w", err)
	}
	if err := build(); err != nil {
		return err
	}
	last.Key, last.Result = key, *result
	data, err := json.Marshal(last)
	if err != nil {
		return fmt.Errorf("site: %w", err)
	}
	return os.WriteFile(file, data, 0o644)
}

// sumOfPrograms is that of all that the programs are built of, the cells apart.
func sumOfPrograms(root string) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, runtime.Version())
	for _, top := range []string{"go.mod", "go.sum", "mlkit", "plotting", "datasets", "internal"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(file string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() && e.Name() == "testdata" {
				return skipped(e, err)
			}
			if e.IsDir() || strings.HasSuffix(file, "_test.go") {
				return nil
			}
			f, err := os.Open(file)
			if err != nil {
				return err
			}
			defer f.Close()
			fmt.Fprintln(h, file)
			_, err = io.Copy(h, f)
			return err
		})
		if err != nil {
			return "", fmt.Errorf("site: %w", err)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

func skipped(e fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	return fs.SkipDir
}

// codeOf is the sum of a notebook's code and of its stored sliders, whose programs the site has.
func codeOf(file string) (string, error) {
	nb, err := nbformat.Read(file)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for _, c := range nb.Cells {
		if c.Type == "code" {
			fmt.Fprintf(h, "%q %q\n", c.ID, c.Source)
		}
		for _, o := range c.Outputs {
			fmt.Fprintf(h, "%v\n", o.Data[display.SliderType])
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

// files gives the site the files of what moves, and none of a lecture that is gone.
func (l living) files(s *stage) error {
	return fs.WalkDir(os.DirFS(l.dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !l.current(name) {
			return err
		}
		data, err := os.ReadFile(filepath.Join(l.dir, name))
		s.file("live/"+name, data)
		return err
	})
}

// current reports whether a file is not that of a lecture that is gone.
func (l living) current(name string) bool {
	if ext := path.Ext(name); ext != ".json" && ext != ".wasmz" || name == "play.wasmz" {
		return true
	}
	for lecture, sliders := range l.sliders {
		if sliders > 0 && strings.HasPrefix(name, strings.TrimSuffix(path.Base(lecture), ".ipynb")) {
			return true
		}
	}
	return false
}

// playgroundsPage writes the page of all playgrounds.
func (s *stage) playgroundsPage() error {
	const page = "playgrounds.md"
	var b bytes.Buffer
	b.WriteString("# Playgrounds\n\nMove the points, change the settings, and watch what the algorithm makes of them. The programs are those of the lectures, in WebAssembly. They run when the site comes from a web server; pages that were opened as files show their stills.\n\n")
	fmt.Fprintf(&b, "<link rel=\"stylesheet\" href=\"%s\">\n", relative(page, "live/play.css"))
	for _, p := range s.living.playgrounds {
		// Markdown would end an HTML block at an empty line.
		fragment := strings.ReplaceAll(s.living.playgrounds.Fragment(p.ID, relative(page, "live/")), "\n\n", "\n")
		of, err := s.backLink(page, p.ID)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "\n(%s%s)=\n## %s\n\n%s\n%s", playAnchor, p.ID, p.Title, fragment, of)
	}
	return s.write(page, b.Bytes())
}

// slidersCell is what stands at the end of a lecture whose sliders have programs, or nil.
func (s *stage) slidersCell(rel string) *nbformat.Cell {
	if s.living.sliders[rel] == 0 {
		return nil
	}
	list := relative(rel, "live/"+strings.TrimSuffix(path.Base(rel), ".ipynb")+".json")
	return &nbformat.Cell{ID: "sliders", Type: "markdown", Metadata: map[string]any{},
		Source: fmt.Sprintf("<div hidden data-live=\"%s\"></div>", html.EscapeString(list))}
}
