//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"

	"marginalia/internal/kernel/complete"
	"marginalia/internal/kernel/jupyter"
)

// goplsPath is an environment variable: the file of gopls, which may be built only later.
const goplsPath = "MARGINALIA_GOPLS"

// completer returns what asks gopls. gopls runs the go command itself, not the one of cells,
// which tries the network.
func completer() *complete.Completer {
	path := filepath.Dir(os.Getenv("MARGINALIA_GO")) + string(os.PathListSeparator) + os.Getenv("PATH")
	return complete.New(os.Getenv(goplsPath), append(os.Environ(), "PATH="+path))
}

// An answer is what gopls knows about a request.
type answer struct {
	to      jupyter.Message
	kind    string
	content map[string]any // nil if GoNB is to answer
}

// explain has a complete_request or an inspect_request answered, while cells run.
func (f *front) explain(m jupyter.Message) {
	var c struct {
		Code   string
		Cursor int `json:"cursor_pos"`
	}
	if m.Decode(&c) != nil {
		return
	}
	q := complete.Question{Dir: f.build, Earlier: f.session.Decls(), Cell: c.Code, Cursor: c.Cursor}
	go func() {
		a := answer{m, "complete_reply", nil}
		if m.Header.Type == "inspect_request" {
			a.kind, a.content = "inspect_reply", f.inspection(q)
		} else {
			a.content = f.completion(q)
		}
		select {
		case f.answers <- a:
		case <-f.life.Done():
		}
	}()
}

// answered sends an answer that is ready.
func (f *front) answered(a answer) {
	if a.content == nil {
		f.ask(a.to)
		return
	}
	f.reply(a.to, a.kind, a.content)
	f.calm(a.to)
}

// calm ends a request that the front has answered. Clients then take the kernel for idle, so
// calm says busy again while a cell runs.
func (f *front) calm(request jupyter.Message) {
	f.state(request, "idle")
	if r := f.running(); r != nil {
		f.state(r.Message, "busy")
	}
}

func (f *front) state(of jupyter.Message, state string) {
	f.say(of, jupyter.IOPub, "status", map[string]any{"execution_state": state})
}

// completion returns the content of a complete_reply. Without gopls nothing is known.
func (f *front) completion(q complete.Question) map[string]any {
	found, _ := f.completer.Complete(f.life, q)
	matches, types := []string{}, []any{}
	for _, n := range found.Names {
		matches = append(matches, n.Text)
		types = append(types, map[string]any{"text": n.Text, "type": n.Kind, "signature": n.Detail, "start": found.Start, "end": found.End})
	}
	return map[string]any{
		"status": "ok", "matches": matches, "cursor_start": found.Start, "cursor_end": found.End,
		"metadata": map[string]any{"_jupyter_types_experimental": types},
	}
}

// inspection returns the content of an inspect_reply, nil if GoNB knows what a command does.
func (f *front) inspection(q complete.Question) map[string]any {
	text, err := f.completer.Inspect(f.life, q)
	switch {
	case errors.Is(err, complete.ErrNotGo):
		return nil
	case errors.Is(err, os.ErrNotExist):
		text = "gopls, which explains code, is not built yet: `go run . lab` builds it while JupyterLab runs."
	case err != nil:
		text = err.Error()
	}
	content := map[string]any{"status": "ok", "found": text != "", "data": map[string]any{}, "metadata": map[string]any{}}
	if text != "" {
		content["data"] = map[string]any{"text/markdown": text, "text/plain": text}
	}
	return content
}
