package site

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"marginalia/internal/notebook/nbformat"
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
	if err := live.Scripts(ctx, l.dir); err != nil {
		return l, err
	}
	notebooks := make([]*nbformat.Notebook, len(b.lectures))
	for i, file := range b.lectures {
		if notebooks[i], err = nbformat.Read(file); err != nil && !b.course() {
			return l, err
		}
	}
	counts, faults, reads := make([]int, len(b.lectures)), make([]error, len(b.lectures)), make([]map[string]string, len(b.lectures))
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
		if notebooks[i] == nil { // its page will say why
			continue
		}
		name, files := b.name(b.rel(file)), map[string]string{} // by the paths that the notebook has for them, see live.Lecture
		reads[i] = b.reads(notebooks[i], filepath.Dir(file))
		for path, rel := range reads[i] {
			files[path] = relative("live/"+name+".json", copyOf(rel))
		}
		work.Go(func() error {
			faults[i] = kept(filepath.Join(dir, name+".json"), fmt.Sprint(codeOf(notebooks[i]), files), &counts[i], func() error {
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
			l.read = slices.AppendSeq(l.read, maps.Values(reads[i]))
		}
	}
	slices.Sort(l.read)
	l.read = slices.Compact(l.read)
	return l, nil
}

// files adds the programs of playgrounds and sliders to the site, with the files that they read. It
// leaves out those of notebooks that no longer exist.
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
		fmt.Fprintf(&b, "\n(%s%s)=\n## %s\n\n%s\n%s", playAnchor, p.ID, p.Title, fragment, s.backLink(page, p.ID))
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
		Source: fmt.Sprintf("<div data-site hidden data-live=\"%s\"></div>", html.EscapeString(list))}
}
