package site

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"html"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"marginalia/internal/display"
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
func (b *book) sumOfPrograms() (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, runtime.Version())
	var tops []string
	for _, top := range []string{"go.mod", "go.sum", "mlkit", "plotting", "datasets", "internal"} {
		tops = append(tops, filepath.Join(b.root, top))
	}
	for _, dir := range slices.Sorted(maps.Keys(b.imports)) {
		tops = append(tops, b.imports[dir].dirs...)
	}
	for _, top := range tops {
		err := filepath.WalkDir(top, func(file string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() && file != top && b.left(file) {
				return skipped(e, err)
			}
			if !e.Type().IsRegular() || strings.HasSuffix(file, "_test.go") || path.Ext(file) == ".ipynb" {
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
func codeOf(nb *nbformat.Notebook) string {
	h := sha256.New()
	for _, c := range nb.Cells {
		if c.Type == "code" {
			fmt.Fprintf(h, "%q %q\n", c.ID, c.Source)
		}
		for _, o := range c.Outputs {
			fmt.Fprintf(h, "%v\n", o.Data[display.SliderType])
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// reads finds the files that a notebook in folder dir reads: those of the book that strings in its code
// name.
func (b *book) reads(nb *nbformat.Notebook, dir string) (rels []string) {
	for _, c := range nb.Cells {
		if c.Type != "code" {
			continue
		}
		var scan scanner.Scanner
		text := []byte(c.Source)
		scan.Init(token.NewFileSet().AddFile("", 1, len(text)), text, func(token.Position, string) {}, 0) // %% is no Go
		for _, tok, literal := scan.Scan(); tok != token.EOF; _, tok, literal = scan.Scan() {
			name, err := strconv.Unquote(literal)
			if tok != token.STRING || err != nil || name == "" || strings.ContainsAny(name, "\x00\n") || filepath.IsAbs(name) {
				continue
			}
			file, err := filepath.EvalSymlinks(filepath.Join(dir, filepath.FromSlash(name)))
			if err != nil {
				continue
			}
			rel := b.rel(file)
			if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && b.holds(rel) && !slices.Contains(rels, rel) {
				rels = append(rels, rel)
			}
		}
	}
	return rels
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
		fmt.Fprintf(&b, "\n(play-%s)=\n## %s\n\n%s\n", p.ID, p.Title, fragment)
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
