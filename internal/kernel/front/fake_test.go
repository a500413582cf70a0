//go:build unix

package main

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"

	"marginalia/internal/cell/display"
	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/notebook/program"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/reads"
)

// The test binary is the front or, with -kernel, GoNB where it is started with this
// environment variable.
const fakeEnv = "MARGINALIA_TEST_GONB"

func TestMain(m *testing.M) {
	jupyter.KeeperMain()
	switch {
	case os.Getenv(fakeEnv) == "":
		os.Exit(reads.Short(m).Run())
	case os.Args[1] == "-kernel":
		fake(os.Args[2])
	default:
		if err := serve(os.Args[1:]); err != nil {
			panic(err)
		}
	}
}

// crashes has what programs write to stderr; a | marks where GoNB splits it.
var crashes = map[string]string{
	"crash": "a warning\npan|ic: no data\n\ngorout|ine 1 [running]:\nmain.main()\n\t [[ Cell [2] Line 1 ]] /nowhere/main.go:12 +0x6f\n|exit status 2\n",
	"give":  "panic: no stack|, the cell printed this\nand gave up\nexit status 2\n",
	"warn":  "panic: no, all is well\n|done\n",
}

// fake is a GoNB that does what cells say: "die" when the next request comes, "wait" until it
// is interrupted, "heed" the same, which it takes well, "print N" N bytes, "lines N" N lines,
// "mixed" on both streams and a display, "fail", "stay SOCKET SLIDER" stays; what it is told to
// memorise it prints later for "tell".
// Like GoNB it sends all replies by the shell channel, and its questions and what it publishes
// with the routing of the request. Every other message it publishes as an echo.
func fake(file string) {
	conn, err := jupyter.ReadConnection(file)
	if err != nil {
		panic(err)
	}
	c, err := listen(context.Background(), conn)
	if err != nil {
		panic(err)
	}
	count, memory := 0, os.Getenv("MEMORY")
	var waits *jupyter.Message
	heeds := false
	var asks jupyter.Message
	say := func(m jupyter.Message, ch jupyter.Channel, kind string, content any) {
		answer, err := m.Reply(ch, kind, content)
		if err != nil {
			panic(err)
		}
		c.send(answer)
	}
	done := func(m jupyter.Message, content map[string]any) {
		content["execution_count"] = count
		say(m, jupyter.Shell, "execute_reply", content)
		say(m, jupyter.IOPub, "status", map[string]any{"execution_state": "idle"})
	}
	for m := range c.messages {
		switch m.Header.Type {
		case "kernel_info_request":
			say(m, jupyter.IOPub, "status", map[string]any{"execution_state": "busy"})
			say(m, jupyter.Shell, "kernel_info_reply", map[string]any{"status": "ok", "banner": "fake", "language_info": map[string]any{"name": "go", "version": "go1.26.8"}})
		case "shutdown_request":
			return
		case "interrupt_request":
			if waits != nil {
				end := map[string]any{"status": "error", "evalue": "signal: interrupt"}
				if heeds {
					end = map[string]any{"status": "ok"}
				}
				done(*waits, end)
				waits = nil
			}
			say(m, jupyter.Shell, "interrupt_reply", map[string]any{"status": "ok"})
		case "input_reply":
			var c struct{ Value string }
			_ = m.Decode(&c)
			say(asks, jupyter.IOPub, "stream", map[string]any{"name": "stdout", "text": c.Value})
			done(asks, map[string]any{"status": "ok"})
		case "execute_request":
			var x struct {
				Code   string
				Silent bool
				Counts *bool `json:"store_history"`
				Told   bool  `json:"marginalia_declare_only"`
			}
			if m.Decode(&x) != nil {
				panic("no content")
			}
			if x.Counts == nil || *x.Counts {
				count++
			}
			if !x.Silent {
				say(m, jupyter.IOPub, "execute_input", map[string]any{"code": x.Code, "execution_count": count})
			}
			if x.Told {
				memory = x.Code
				done(m, map[string]any{"status": "ok"})
				continue
			}
			words := strings.Fields(x.Code + " -")
			switch words[0] {
			case "die": // when there is something behind it
				<-c.messages
				os.Exit(3)
			case "wait", "heed":
				waits, heeds = &m, words[0] == "heed"
				continue
			case "ask":
				asks = m
				say(m, jupyter.Stdin, "input_request", map[string]any{"prompt": "?", "password": false})
				continue
			case "print":
				var n int
				fmt.Sscan(words[1], &n)
				say(m, jupyter.IOPub, "stream", map[string]any{"name": "stdout", "text": strings.Repeat("x", n)})
			case "crash", "warn", "give": // as a program does, in pieces of some bytes
				for _, piece := range strings.SplitAfter(crashes[words[0]], "|") {
					say(m, jupyter.IOPub, "stream", map[string]any{"name": "stderr", "text": strings.TrimSuffix(piece, "|")})
				}
				if words[0] != "warn" {
					status := "exit status 2"
					end := map[string]any{"ename": "ERROR", "evalue": status, "traceback": []string{status}}
					say(m, jupyter.IOPub, "error", end)
					end["status"] = "error"
					done(m, end)
					continue
				}
			case "lines": // in pieces of 1000
				var n int
				fmt.Sscan(words[1], &n)
				for lines := range slices.Chunk(strings.SplitAfter(lines(n), "\n"), 1000) {
					say(m, jupyter.IOPub, "stream", map[string]any{"name": "stdout", "text": strings.Join(lines, "")})
				}
			case "mixed":
				for _, part := range []string{"out 1 ", "out 2 ", "err 3 ", "out 4 ", "show", "out 5 ", "err 6 "} {
					if part == "show" {
						say(m, jupyter.IOPub, "display_data", map[string]any{"data": map[string]any{"text/plain": "shown "}, "metadata": map[string]any{}})
						continue
					}
					say(m, jupyter.IOPub, "stream", map[string]any{"name": "std" + part[:3], "text": part})
				}
			case "fail":
				end := map[string]any{"ename": "ERROR", "evalue": "no", "traceback": []string{"no"}}
				if !x.Silent {
					say(m, jupyter.IOPub, "error", end)
				}
				end["status"] = "error"
				done(m, end)
				continue
			case "stay":
				stay, _ := json.Marshal(display.Stay{Socket: words[1], Sliders: words[2 : len(words)-1]})
				say(m, jupyter.IOPub, "display_data", map[string]any{"data": map[string]any{display.StayType: string(stay)}, "metadata": map[string]any{}})
			case "%%": // a name that is not declared
				name, _, _ := strings.Cut(words[1], "(")
				end := map[string]any{"ename": "ERROR", "evalue": "# gonb_1\n./main.go:9:1: undefined: " + name + "\n", "traceback": []string{
					"# gonb_1", fmt.Sprintf("Cell[%d]: Line 2\n%s\n^\n\nundefined: %s", count, words[1], name), ""}}
				say(m, jupyter.IOPub, "error", end)
				end["status"] = "error"
				done(m, end)
				continue
			case "tell":
				say(m, jupyter.IOPub, "stream", map[string]any{"name": "stdout", "text": memory})
			}
			done(m, map[string]any{"status": "ok"})
		default:
			m.Channel = jupyter.IOPub
			c.send(m)
		}
	}
}

// lines returns n lines of ten bytes.
func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%09d\n", i)
	}
	return b.String()
}

// A peer is a client that keeps all messages of all channels, each channel's in order.
type peer struct {
	t       *testing.T
	id, key string
	date    string // of what it sends, as JupyterLab writes it; "" for now
	sockets map[jupyter.Channel]zmq4.Socket
	got     chan jupyter.Message
	kept    []jupyter.Message // got and not asked for yet
}

// place returns where a front listens, and the path of this program.
func place(t *testing.T) (conn jupyter.Connection, self string) {
	t.Helper()
	self = must.Get(os.Executable()).Or(t)
	dir, err := os.MkdirTemp("", "front-") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return jupyter.Connection{Transport: "ipc", IP: filepath.Join(dir, "f"), ShellPort: 1, IOPubPort: 2, StdinPort: 3, ControlPort: 4, HBPort: 5, Key: rand.Text()}, self
}

// serveFake starts a front before the fake GoNB and returns where it listens.
func serveFake(t *testing.T) jupyter.Connection {
	t.Helper()
	conn, self := place(t)
	dir := filepath.Dir(conn.IP)
	t.Setenv(fakeEnv, "1")
	life, end := context.WithCancel(context.Background())
	c := must.Get(listen(life, conn)).Or(t)
	gone, ended := make(chan struct{}), make(chan error, 1)
	f := &front{life: life, clients: c, dir: dir, orphaned: gone, signals: make(chan os.Signal),
		spec:  jupyter.Spec{Argv: []string{self, "-kernel", "{connection_file}"}, Key: conn.Key},
		ready: make(chan started), session: program.NewSession(dir), sources: map[int]string{}, executed: map[string]bool{},
		completer: completer(), answers: make(chan answer), sliders: newSliders(), outputs: newOutputs()}
	go func() { ended <- f.run() }()
	t.Cleanup(func() {
		close(gone)
		if err := <-ended; err != nil {
			t.Error(err)
		}
		end()
		for _, s := range c.sockets {
			s.Close()
		}
	})
	return conn
}

// connect connects a client, and waits until it sees what is published.
func connect(t *testing.T, conn jupyter.Connection) *peer {
	t.Helper()
	life, end := context.WithCancel(context.Background())
	t.Cleanup(end)
	p := &peer{t: t, id: rand.Text(), key: conn.Key, sockets: map[jupyter.Channel]zmq4.Socket{}, got: make(chan jupyter.Message, 1000)}
	id := zmq4.WithID(zmq4.SocketIdentity(p.id))
	for _, ch := range []jupyter.Channel{jupyter.Shell, jupyter.Control, jupyter.Stdin} {
		p.sockets[ch] = zmq4.NewDealer(life, id)
	}
	p.sockets[jupyter.IOPub] = zmq4.NewSub(life)
	must.Do(t, p.sockets[jupyter.IOPub].SetOption(zmq4.OptionSubscribe, ""))
	for ch, s := range p.sockets {
		must.Do(t, s.Dial(conn.Endpoint(ch)))
		go jupyter.Receive(life, ch, s, conn.Key, p.got)
		t.Cleanup(func() { s.Close() })
	}
	for {
		id := p.send(jupyter.Shell, "kernel_info_request", `{}`)
		p.until("kernel_info_reply", id)
		select {
		case m := <-p.got:
			if m.Header.Type == "status" {
				return p
			}
		case <-time.After(20 * time.Millisecond): // then ask again: the subscription had not arrived
		}
	}
}

// frames returns the frames of a message as JupyterLab's server sends it.
func (p *peer) frames(kind, content string, buffers ...[]byte) (id string, frames [][]byte) {
	id = rand.Text()
	date := p.date
	if date == "" {
		date = time.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	}
	header, err := json.Marshal(map[string]any{"msg_id": id, "session": p.id, "username": "", "date": date, "msg_type": kind, "version": "5.3", "extra": 1})
	if err != nil {
		p.t.Fatal(err)
	}
	parts := [][]byte{header, []byte(`{}`), []byte(`{"meta":"data"}`), []byte(content)}
	mac := hmac.New(sha256.New, []byte(p.key))
	for _, part := range parts {
		mac.Write(part)
	}
	frames = append([][]byte{[]byte("<IDS|MSG>"), []byte(hex.EncodeToString(mac.Sum(nil)))}, parts...)
	return id, append(frames, buffers...)
}

func (p *peer) send(ch jupyter.Channel, kind, content string, buffers ...[]byte) (id string) {
	p.t.Helper()
	id, frames := p.frames(kind, content, buffers...)
	must.Do(p.t, p.sockets[ch].SendMulti(zmq4.NewMsgFrom(frames...)))
	return id
}

func (p *peer) execute(code string) (id string) {
	p.t.Helper()
	b, err := json.Marshal(map[string]any{"code": code, "silent": false, "store_history": true, "allow_stdin": true})
	if err != nil {
		p.t.Fatal(err)
	}
	return p.send(jupyter.Shell, "execute_request", string(b))
}

// next returns the next message that matches, and keeps those before it. The test fails if
// none comes for a minute.
func (p *peer) next(matches func(jupyter.Message) bool) jupyter.Message {
	p.t.Helper()
	for i, m := range p.kept {
		if matches(m) {
			p.kept = slices.Delete(p.kept, i, i+1)
			return m
		}
	}
	for {
		select {
		case m := <-p.got:
			if matches(m) {
				return m
			}
			p.kept = append(p.kept, m)
		case <-time.After(time.Minute):
			p.t.Fatal("nothing for a minute")
		}
	}
}

// until returns the next message of a kind that answers the request id.
func (p *peer) until(kind, id string) jupyter.Message {
	p.t.Helper()
	return p.next(func(m jupyter.Message) bool { return m.Header.Type == kind && m.Parent.ID == id })
}

// fails waits until a request has its reply and is idle, since an error aborts the cells that wait for
// that, and returns the content of its error.
func (p *peer) fails(id string) string {
	p.t.Helper()
	said := ""
	for idle, replied := false, false; !idle || !replied; {
		m := p.next(func(m jupyter.Message) bool { return m.Parent.ID == id })
		if m.Header.Type == "error" {
			said = string(m.Content)
		}
		idle, replied = idle || jupyter.IsIdle(m), replied || m.Header.Type == "execute_reply"
	}
	return said
}

// ends waits until a request has its reply and is idle, and returns the texts of its
// streams and errors, and the reply.
func (p *peer) ends(id string) (text string, reply map[string]any) {
	p.t.Helper()
	for idle := false; !idle || reply == nil; {
		m := p.next(func(m jupyter.Message) bool { return m.Parent.ID == id })
		var c map[string]any
		must.Do(p.t, json.Unmarshal(m.Content, &c))
		switch m.Header.Type {
		case "stream":
			text += fmt.Sprint(c["text"])
		case "error":
			text += fmt.Sprint(c["evalue"])
		case "execute_reply":
			reply = c
		}
		idle = idle || jupyter.IsIdle(m)
	}
	return text, reply
}
