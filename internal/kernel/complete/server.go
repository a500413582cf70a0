package complete

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"time"
	"unicode/utf16"

	"go.lsp.dev/jsonrpc2"
)

// A server is a gopls that runs, and what it has been told. It speaks the Language Server
// Protocol (Microsoft, version 3.17).
type server struct {
	dir   string
	cmd   *exec.Cmd
	conn  jsonrpc2.Conn
	ended chan struct{}

	texts    map[string]string // of the files that it has open
	version  int               // of the last one that was changed
	stamps   map[string]time.Time
	packages *packages
}

// options of gopls: to load what the cell imports and nothing else of the modules, to report
// no mistakes, which nobody reads here, and to offer names and not whole calls.
var options = map[string]any{
	"expandWorkspaceToModule": false,
	"diagnosticsTrigger":      "Save",
	"matcher":                 "CaseInsensitive",
	"deepCompletion":          false,
	"completionBudget":        "0s",
	"hoverKind":               "FullDocumentation",
	"linksInHover":            false,
}

// capabilities of this client: Markdown.
var capabilities = map[string]any{"textDocument": map[string]any{
	"completion": map[string]any{"completionItem": map[string]any{"snippetSupport": false}},
	"hover":      map[string]any{"contentFormat": []string{"markdown"}},
}}

// modFiles decide which modules there are.
var modFiles = []string{"go.mod", "go.sum", "go.work"}

// start starts gopls in a folder. It ends when its standard input does, and so with this
// process.
func start(ctx context.Context, gopls, dir string, env []string) (*server, error) {
	cmd := exec.Command(gopls)
	cmd.Dir = dir
	cmd.Env = append(append([]string(nil), env...), "GOPROXY=off", "PWD="+dir)
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2, cmd.Start()); err != nil {
		return nil, fmt.Errorf("complete: starting gopls: %w", err)
	}
	s := &server{
		dir: dir, cmd: cmd, conn: jsonrpc2.NewConn(jsonrpc2.NewStream(pipe{out, in})), ended: make(chan struct{}),
		texts: map[string]string{}, stamps: map[string]time.Time{}, packages: newPackages(dir, cmd.Env),
	}
	go s.packages.index() // while gopls reads what there is
	s.conn.Go(context.Background(), func(ctx context.Context, reply jsonrpc2.Replier, _ jsonrpc2.Request) error {
		return reply(ctx, nil, nil) // what it asks can be answered by nothing
	})
	go func() {
		<-s.conn.Done()
		in.Close()
		_ = cmd.Wait() // it is gone, for whatever reason
		close(s.ended)
	}()
	err := s.call(ctx, "initialize", map[string]any{
		"processId": os.Getpid(), "rootUri": s.uri(""), "capabilities": capabilities, "initializationOptions": options,
		"workspaceFolders": []any{map[string]any{"uri": s.uri(""), "name": "cell"}},
	}, nil)
	if err == nil {
		err = s.conn.Notify(ctx, "initialized", struct{}{})
	}
	if err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

// pipe joins the standard output and input of gopls.
type pipe struct {
	io.ReadCloser
	io.WriteCloser
}

func (p pipe) Close() error { return errors.Join(p.ReadCloser.Close(), p.WriteCloser.Close()) }

// stop ends gopls and waits for its end.
func (s *server) stop() {
	s.conn.Close()
	_ = s.cmd.Process.Kill() // it keeps nothing that could be lost
	<-s.ended
}

func (s *server) dead() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// call asks and waits for the answer, or for the end of gopls, which jsonrpc2 does not see.
func (s *server) call(ctx context.Context, method string, params, result any) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-s.conn.Done():
			cancel()
		case <-ctx.Done():
		}
	}()
	if _, err := s.conn.Call(ctx, method, params, result); err != nil {
		return fmt.Errorf("complete: gopls, %s: %w", method, err)
	}
	return nil
}

// open tells the text of a file, which need not be on the disk.
func (s *server) open(ctx context.Context, name, text string) error {
	old, opened := s.texts[name]
	if opened && old == text {
		return nil
	}
	s.version++
	method, params := "textDocument/didOpen", map[string]any{
		"textDocument": map[string]any{"uri": s.uri(name), "languageId": "go", "version": s.version, "text": text},
	}
	if opened {
		method, params = "textDocument/didChange", map[string]any{
			"textDocument":   map[string]any{"uri": s.uri(name), "version": s.version},
			"contentChanges": []any{map[string]any{"text": text}},
		}
	}
	if err := s.conn.Notify(ctx, method, params); err != nil {
		return fmt.Errorf("complete: gopls, %s: %w", method, err)
	}
	s.texts[name] = text
	return nil
}

// modules tells which of the files that decide on modules have changed: GoNB changes them
// when a cell imports a new one.
func (s *server) modules(ctx context.Context) {
	var changes []any
	for _, name := range modFiles {
		var stamp time.Time
		if info, err := os.Stat(filepath.Join(s.dir, name)); err == nil {
			stamp = info.ModTime()
		}
		if old, seen := s.stamps[name]; seen && !old.Equal(stamp) {
			changes = append(changes, map[string]any{"uri": s.uri(name), "type": 2})
		}
		s.stamps[name] = stamp
	}
	if changes != nil {
		_ = s.conn.Notify(ctx, "workspace/didChangeWatchedFiles", map[string]any{"changes": changes}) // a dead one says so when asked
		s.packages = newPackages(s.dir, s.cmd.Env)
	}
}

// uri returns the address of a file of the folder.
func (s *server) uri(name string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(s.dir, name))}).String()
}

// A position is a place in a file; Character counts UTF-16 units.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

func units(text []rune) int { return len(utf16.Encode(text)) }

// An item is a completion.
type item struct {
	Kind     int    `json:"kind"`
	Detail   string `json:"detail"`
	TextEdit struct {
		Range   struct{ Start position }
		NewText string
	} `json:"textEdit"`
}

// kinds are the protocol's CompletionItemKind in Jupyter's words.
var kinds = map[int]string{
	2: "function", 3: "function", 4: "function",
	7: "class", 8: "class", 22: "class", 25: "class",
	5: "instance", 6: "instance", 21: "instance",
	9: "module", 14: "keyword",
}
