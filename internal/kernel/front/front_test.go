//go:build unix

package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-zeromq/zmq4"

	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/testkit/must"
)

// The front passes messages of unknown types on unchanged, with buffers and signature.
func TestRelay(t *testing.T) {
	conn := serveFake(t)
	p := connect(t, conn)
	_, sent := p.frames("comm_msg", `{"comm_id":"c","data":{"n":1}}`, []byte("buffer\x00one"), []byte{})
	must.Do(t, p.sockets[jupyter.Shell].SendMulti(zmq4.NewMsgFrom(sent...)))
	got := p.next(func(m jupyter.Message) bool { return m.Header.Type == "comm_msg" }).Wire(p.key)
	if want := append([][]byte{[]byte(p.id)}, sent...); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if text, reply := p.ends(p.execute("print 3")); text != "xxx" || reply["status"] != "ok" {
		t.Errorf("a cell shows %q and has the reply %v", text, reply)
	}
}

// Messages with a wrong signature, and frames that are no message, never reach GoNB, which
// would end.
func TestWrongMessages(t *testing.T) {
	p := connect(t, serveFake(t))
	for _, change := range []func([][]byte) [][]byte{
		func(f [][]byte) [][]byte { f[1] = []byte(strings.Repeat("0", 64)); return f },
		func(f [][]byte) [][]byte { f[1] = nil; return f },
		func(f [][]byte) [][]byte { f[5] = []byte(`{"code":"die"}`); return f },
		func(f [][]byte) [][]byte { return f[:4] },
		func(f [][]byte) [][]byte { return f[1:] },
		func(f [][]byte) [][]byte { return [][]byte{{}} },
	} {
		_, frames := p.frames("execute_request", `{"code":"print 1","silent":false}`)
		must.Do(t, p.sockets[jupyter.Shell].SendMulti(zmq4.NewMsgFrom(change(frames)...)))
	}
	p.send(jupyter.Shell, "execute_request", `{"code":7}`) // signed, and GoNB would panic
	if text, reply := p.ends(p.execute("print 1")); text != "x" || reply["execution_count"] != 1.0 {
		t.Errorf("the first cell shows %q and has the reply %v", text, reply)
	}
}

// Each client gets the replies to its requests, and all see what is published, also when
// one of them has gone.
func TestClients(t *testing.T) {
	conn := serveFake(t)
	a, b := connect(t, conn), connect(t, conn)
	gone := connect(t, conn)
	gone.execute("print 1000000")
	for _, s := range gone.sockets {
		s.Close()
	}
	for i := range 20 {
		p, other := a, b
		if i%2 == 1 {
			p, other = b, a
		}
		id := p.execute("print 2")
		if text, _ := p.ends(id); text != "xx" {
			t.Errorf("cell %d shows %q", i, text)
		}
		other.next(func(m jupyter.Message) bool {
			if m.Parent.ID == id && m.Channel == jupyter.Shell {
				t.Errorf("cell %d: the other client got %s", i, m.Header.Type)
			}
			return m.Parent.ID == id && jupyter.IsIdle(m)
		})
	}
}

// 50 MB in one message, for a client that wants all.
func TestLargeOutput(t *testing.T) {
	t.Setenv(wholeOutput, "whole")
	p := connect(t, serveFake(t))
	const size = 50 << 20
	if m := p.until("stream", p.execute(fmt.Sprint("print ", size))); len(m.Content) < size {
		t.Errorf("%d bytes, want at least %d", len(m.Content), size)
	}
}

// kernel_info_reply has the language_info that notebooks store.
func TestLanguage(t *testing.T) {
	p := connect(t, serveFake(t))
	m := p.until("kernel_info_reply", p.send(jupyter.Shell, "kernel_info_request", `{}`))
	var c struct {
		Banner   string
		Language map[string]any `json:"language_info"`
	}
	must.Do(t, m.Decode(&c))
	if c.Banner != "fake" || fmt.Sprint(c.Language) != fmt.Sprint(jupyter.LanguageInfo()) {
		t.Errorf("%s", m.Content)
	}
	for _, field := range []string{"name", "version", "mimetype", "file_extension", "pygments_lexer", "codemirror_mode", "nbconvert_exporter"} {
		if s, _ := c.Language[field].(string); s == "" { // KernelLanguageInfo: Messaging in Jupyter, "Kernel info"
			t.Errorf("language_info has no %s", field)
		}
	}
}

// A question goes to the client whose cell asks, and its answer to GoNB.
func TestQuestion(t *testing.T) {
	p := connect(t, serveFake(t))
	id := p.execute("ask")
	p.until("input_request", id)
	p.send(jupyter.Stdin, "input_reply", `{"value":"forty-two"}`)
	if text, _ := p.ends(id); text != "forty-two" {
		t.Errorf("the cell shows %q", text)
	}
}

// The reply to an interrupt comes by the channel of the request.
func TestInterrupt(t *testing.T) {
	p := connect(t, serveFake(t))
	id := p.execute("wait")
	p.until("execute_input", id)
	interrupt := p.send(jupyter.Control, "interrupt_request", `{}`)
	if m := p.until("interrupt_reply", interrupt); m.Channel != jupyter.Control {
		t.Errorf("the reply to the interrupt came by channel %d", m.Channel)
	}
	p.until("execute_reply", id)
}

// A GoNB that dies is started again: the cell says so, those that waited for it are aborted,
// other requests are answered by the new one, which counts on and has the declarations.
func TestDeath(t *testing.T) {
	p := connect(t, serveFake(t))
	p.ends(p.execute("func f() int { return 1 }"))
	p.ends(p.execute("%env A=b"))
	die, behind := p.execute("die"), p.execute("print 1")
	info := p.send(jupyter.Shell, "kernel_info_request", `{}`)
	text, reply := p.ends(die)
	for _, want := range []string{"GoNB", "exit status 3", "started again", "still there"} {
		if !strings.Contains(text, want) {
			t.Errorf("the cell shows %q, want %q in it", text, want)
		}
	}
	if reply["status"] != "error" || reply["execution_count"] != 3.0 || reply["evalue"] != text {
		t.Errorf("its reply is %v", reply)
	}
	if _, reply := p.ends(behind); reply["status"] != "aborted" {
		t.Errorf("the reply to the cell behind it is %v", reply)
	}
	p.until("kernel_info_reply", info)
	text, reply = p.ends(p.execute("tell"))
	if !strings.Contains(text, "func f() int { return 1 }") || reply["execution_count"] != 4.0 {
		t.Errorf("the new GoNB memorised %q, and has the reply %v", text, reply)
	}
}

// A panic is said in few words, what the cell wrote itself is passed on, and evalue keeps
// GoNB's text. "pan" has left before it was known for the beginning of a panic.
func TestWords(t *testing.T) {
	p := connect(t, serveFake(t))
	p.ends(p.execute("print 1"))
	id := p.execute("crash")
	m := p.until("error", id)
	var c struct {
		EValue    string
		Traceback []string
	}
	must.Do(t, m.Decode(&c))
	if want := []string{"\x1b[31mpanic: no data\x1b[0m", "  \x1b[1mline 1\x1b[0m: crash"}; !slices.Equal(c.Traceback, want) || c.EValue != "exit status 2" {
		t.Errorf("the error is %q with traceback\n%q, want exit status 2 and\n%q", c.EValue, c.Traceback, want)
	}
	if text, _ := p.ends(id); text != "a warning\npan" {
		t.Errorf("the cell wrote %q, want the warning and what had left", text)
	}
	// Without a stack it is the cell's own text, and stays; GoNB's exit status goes.
	if text, _ := p.ends(p.execute("give")); text != "panic: no stack, the cell printed this\nand gave up\nexit status 2" {
		t.Errorf("a cell that printed and gave up shows %q", text)
	}
	if text, _ := p.ends(p.execute("warn")); text != "panic: no, all is well\ndone\n" {
		t.Errorf("a cell that did not fail wrote %q", text)
	}
}

// Errors come as GoNB writes them where somebody asked for it.
func TestRawErrors(t *testing.T) {
	t.Setenv(rawErrors, "raw")
	p := connect(t, serveFake(t))
	text, reply := p.ends(p.execute("crash"))
	if want := strings.ReplaceAll(crashes["crash"], "|", "") + "exit status 2"; text != want {
		t.Errorf("the cell wrote\n%q, want\n%q", text, want)
	}
	if got := fmt.Sprint(reply["traceback"]); got != "[exit status 2]" {
		t.Errorf("the traceback of the reply is %s", got)
	}
}

// Tab and Shift+Tab are answered while a cell runs, and the page is then told anew that it
// does. GoNB answers for commands; here there is no gopls.
func TestCompletion(t *testing.T) {
	p := connect(t, serveFake(t))
	cell := p.execute("wait")
	p.until("execute_input", cell)
	for kind, want := range map[string]string{
		"complete": `{"cursor_end":6,"cursor_start":6,"matches":[],"metadata":{"_jupyter_types_experimental":[]},"status":"ok"}`,
		"inspect":  `{"data":{"text/markdown":"`,
	} {
		id := p.send(jupyter.Shell, kind+"_request", `{"code":"%%\nfmt","cursor_pos":6}`)
		if m := p.until(kind+"_reply", id); !strings.HasPrefix(string(m.Content), want) {
			t.Errorf("%s: %s, want %s", kind, m.Content, want)
		} else {
			// JupyterLab drops a message without them: validateHeader in its packages/services.
			for _, field := range []string{"username", "version", "session", "msg_id", "msg_type"} {
				if header := string(m.Wire(p.key)[len(m.IDs)+2]); !strings.Contains(header, `"`+field+`":`) {
					t.Errorf("%s: the header %s has no %s", kind, header, field)
				}
			}
		}
		p.next(func(m jupyter.Message) bool { return m.Parent.ID == id && jupyter.IsIdle(m) })
		p.next(func(m jupyter.Message) bool {
			return m.Parent.ID == cell && m.Header.Type == "status" && strings.Contains(string(m.Content), "busy")
		})
	}
	p.send(jupyter.Control, "interrupt_request", `{}`)
	p.ends(cell)
	id := p.send(jupyter.Shell, "inspect_request", `{"code":"%env","cursor_pos":2}`)
	p.next(func(m jupyter.Message) bool { return m.Header.ID == id }) // the fake sends back what it does not know
}
