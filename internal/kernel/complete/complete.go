// Package complete answers Tab and Shift+Tab in a cell: which names may stand at the cursor,
// and what the name there is. gopls knows; this package has it see the cell as GoNB would
// build it.
//
// gopls sees the two files of package cursor, which are in its memory alone. Package names
// that nothing imports are imported as goimports will when the cell runs (imports.go).
//
// gopls is started by the first question, in the folder in which GoNB builds cells, and ends
// with the process that uses this package, however that ends:
//
//	c := complete.New(gopls, os.Environ())
//	defer c.Close()
//	found, err := c.Complete(ctx, complete.Question{Dir: dir, Earlier: decls, Cell: source, Cursor: 12})
package complete

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"marginalia/internal/notebook/cursor"
	"marginalia/internal/notebook/gonb"
)

// A Question asks about a place in a cell.
type Question struct {
	Dir     string      // where GoNB builds cells: gopls finds modules as the go command does there
	Earlier *gonb.Decls // of earlier cells
	Cell    string      // its source
	Cursor  int         // code points of Cell before the cursor
}

// Completions are what may stand at the cursor.
type Completions struct {
	Start, End int // code points of the cell that a name replaces
	Names      []Name
}

// A Name is one of them.
type Name struct {
	Text   string
	Kind   string // "function", "class" for a type, "instance" for a value, "module" for a package, "keyword"
	Detail string // its type or signature
}

// A Completer asks one gopls at a time. Its methods may be called from several goroutines.
type Completer struct {
	gopls string
	env   []string
	life  context.Context
	end   context.CancelFunc

	mu     sync.Mutex
	server *server
}

// New returns a completer that starts the program gopls with the environment env.
func New(gopls string, env []string) *Completer {
	life, end := context.WithCancel(context.Background())
	return &Completer{gopls: gopls, env: env, life: life, end: end}
}

// Close ends gopls, also while a question waits for it.
func (c *Completer) Close() {
	c.end()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stop()
}

func (c *Completer) stop() {
	if c.server != nil {
		c.server.stop()
		c.server = nil
	}
}

// Complete returns the names that may stand at the cursor, the likeliest first. There are
// none in comments and in lines that are not Go.
func (c *Completer) Complete(ctx context.Context, q Question) (Completions, error) {
	found := Completions{Start: q.Cursor, End: q.Cursor}
	p, ok := cursor.Find(q.Cell, q.Cursor)
	if !ok || p.Comment {
		return found, nil
	}
	var list struct{ Items []item }
	if err := c.ask(ctx, q, &p, "textDocument/completion", &list); err != nil {
		return found, err
	}
	if len(list.Items) == 0 {
		return found, nil
	}
	// gopls means one stretch of text for all items of an answer.
	from := column(&p, list.Items[0].TextEdit.Range.Start)
	found.Start -= p.At - from
	for _, i := range list.Items {
		text := i.TextEdit.NewText
		if column(&p, i.TextEdit.Range.Start) != from || strings.HasSuffix(text, "_test") ||
			slices.ContainsFunc(found.Names, func(n Name) bool { return n.Text == text }) {
			continue
		}
		found.Names = append(found.Names, Name{text, kinds[i.Kind], i.Detail})
	}
	return found, nil
}

// Inspect returns the declaration and the documentation of what the cursor is on, or of the
// function whose arguments it is in, in Markdown. It returns "" where nothing is known. The
// error is ErrNotGo for a cursor that is not in a line of Go.
func (c *Completer) Inspect(ctx context.Context, q Question) (string, error) {
	p, ok := cursor.Find(q.Cell, q.Cursor)
	if !ok {
		return "", ErrNotGo
	}
	for ok = p.OnName() || p.Outwards(); ok; ok = p.Outwards() {
		var found struct{ Contents struct{ Value string } }
		if err := c.ask(ctx, q, &p, "textDocument/hover", &found); err != nil || found.Contents.Value != "" {
			return found.Contents.Value, err
		}
	}
	return "", nil
}

// column returns the code points of the line before a position.
func column(p *cursor.Place, at position) int {
	n := 0
	for n < len(p.Text) && units(p.Text[:n]) < at.Character {
		n++
	}
	return n
}

// ask asks gopls about a place, and starts it if it does not run in the folder of q.
func (c *Completer) ask(ctx context.Context, q Question, p *cursor.Place, method string, answer any) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.life, cancel)()
	if c.server != nil && (c.server.dir != q.Dir || c.server.dead()) {
		c.stop()
	}
	if c.server == nil {
		s, err := start(ctx, c.gopls, q.Dir, c.env)
		if err != nil {
			return err
		}
		c.server = s
	}
	s := c.server
	s.modules(ctx)
	main, earlier := p.Files(q.Earlier, s.packages.find)
	if err := s.open(ctx, "main.go", main); err != nil {
		return err
	}
	if err := s.open(ctx, "earlier.go", earlier); err != nil {
		return err
	}
	return s.call(ctx, method, map[string]any{
		"textDocument": map[string]any{"uri": s.uri("main.go")},
		"position":     position{p.Line, units(p.Text[:p.At])},
	}, answer)
}

// ErrNotGo says that the cursor is in a line that is not Go.
var ErrNotGo = errors.New("complete: a command, not Go")
