package site

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"marginalia/internal/nbformat"
	"marginalia/internal/site/live"
)

// What moves in pages is Go in WebAssembly: the playgrounds, and the programs of the lectures'
// sliders. It is linked again only after a change of what it is built of.

// living are the parts of the site that move.
type living struct {
	dir         string           // their files, which the site has in the folder live
	playgrounds live.Playgrounds // in the order of the lectures; a course has none
	sliders     map[string]int   // by notebook, those that have a program
	read        []string         // files of a course that these programs may read
}

// buildLiving builds it in a folder of the cache.
func buildLiving(ctx context.Context, b *book, dir string) (living, error) {
	l := living{dir: filepath.Join(dir, "files"), sliders: map[string]int{}}
	library, err := b.sumOfPrograms()
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
	if b.course() {
		err = live.Scripts(ctx, l.dir)
	}
	if err != nil {
		return l, err
	}
	counts, faults, reads := make([]int, len(b.lectures)), make([]error, len(b.lectures)), make([][]string, len(b.lectures))
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(runtime.GOMAXPROCS(0))
	if !b.course() {
		work.Go(func() error {
			return kept(filepath.Join(dir, "playgrounds.json"), library, &l.playgrounds, func() error {
				var err error
				l.playgrounds, err = live.Build(ctx, b.root, l.dir)
				return err
			})
		})
	}
	for i, file := range b.lectures {
		nb, err := nbformat.Read(file)
		if err != nil {
			return l, err
		}
		name := b.name(b.rel(file))
		reads[i] = b.reads(nb, filepath.Dir(file))
		files := map[string]string{} // by their paths from the notebook, their addresses from the list of programs
		for _, rel := range reads[i] {
			from, err := filepath.Rel(filepath.Dir(file), b.at(rel))
			if err != nil {
				return l, fmt.Errorf("site: %w", err)
			}
			files[filepath.ToSlash(from)] = relative("live/"+name+".json", copyOf(rel))
		}
		work.Go(func() error {
			faults[i] = kept(filepath.Join(dir, name+".json"), fmt.Sprint(codeOf(nb), reads[i]), &counts[i], func() error {
				var err error
				counts[i], err = live.Lecture(ctx, b.root, file, l.dir, name, files)
				return err
			})
			return ctx.Err()
		})
	}
	if err := work.Wait(); err != nil {
		return l, err
	}
	for i, file := range b.lectures {
		if err := b.fault(faults[i]); err != nil {
			return l, err
		}
		if faults[i] == nil && counts[i] > 0 {
			l.sliders[b.rel(file)] = counts[i]
			l.read = append(l.read, reads[i]...)
		}
	}
	return l, nil
}

// files gives the site the files of what moves and what they read, and none of a notebook that is
// gone.
func (l living) files(s *stage) error {
	if len(l.playgrounds)+len(l.sliders) == 0 {
		return nil
	}
	for _, rel := range l.read {
		if _, err := s.copied(rel); err != nil {
			return err
		}
	}
	names := map[string]bool{"play": true}
	for rel := range l.sliders {
		names[s.book.name(rel)] = true
	}
	return fs.WalkDir(os.DirFS(l.dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if of := ofNotebook.FindStringSubmatch(name); of != nil && !names[of[1]] && !names[of[1]+of[2]] {
			return nil
		}
		data, err := os.ReadFile(filepath.Join(l.dir, name))
		s.file("live/"+name, data)
		return err
	})
}

// ofNotebook is the name of a notebook's list or program, as live.Lecture writes them.
var ofNotebook = regexp.MustCompile(`^(.*?)(-[0-9]+)?\.(?:json|wasmz)$`)

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
	list := relative(rel, "live/"+s.book.name(rel)+".json")
	return &nbformat.Cell{ID: "sliders", Type: "markdown", Metadata: map[string]any{},
		Source: fmt.Sprintf("<div hidden data-live=\"%s\"></div>", html.EscapeString(list))}
}
