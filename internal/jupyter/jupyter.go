//go:build unix

// Package jupyter is a Jupyter client: it starts a kernel, executes code in
// it and collects what the code shows. It speaks the messaging protocol 5.3
// over ZeroMQ itself; neither Python nor a Jupyter server takes part.
//
//	func main() {
//		jupyter.KeeperMain() // first thing: see below
//		…
//		k, err := jupyter.Start(ctx, jupyter.Spec{
//			Argv: []string{"gonb", "--kernel", "{connection_file}", "-raw_error"},
//			Dir:  "notebooks",
//		})
//		if err != nil {
//			return err
//		}
//		defer k.Shutdown()
//		r, err := k.Execute(ctx, "%%\nfmt.Println(6*7)")
//		fmt.Println(r.Outputs[0].Text) // 42
//	}
//
// # Nothing is left behind
//
// A kernel has children (the Go command, the program of a cell) and temporary
// files, and a client that is killed cannot clean up after them. So the client
// does not start the kernel itself: it starts its own executable again, as a
// keeper, which starts the kernel and holds a pipe from the client. When the
// pipe closes, because the client asks for it or is gone however it went, the
// keeper kills the kernel and all its descendants and removes their
// temporary directory. That is what KeeperMain is for: main, or TestMain, calls
// it before anything else, and in the keeper it does not return.
//
// The package works on Linux and macOS, where GoNB does. On Linux no descendant
// escapes, on other systems one may that leaves both its parent and its process
// group.
//
// Source: Messaging in Jupyter, jupyter_client documentation, 2023, sections
// "The Wire Protocol", "Messages on the shell channel", "Messages on the IOPub
// channel".
package jupyter

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
)

// A Spec says how to start a kernel.
type Spec struct {
	Argv []string // program and arguments; {connection_file} in them becomes that file's name
	Env  []string // KEY=value, added to the environment of this process; TMPDIR is always set to the keeper's directory
	Dir  string   // the kernel's working directory; "" is that of this process

	// Writes has files that this process replaces by atomicfile. If it is killed,
	// the keeper removes what was written of them.
	Writes []string
}

// A Kernel is a running kernel. Its methods may be called from several
// goroutines; Execute runs one request at a time.
type Kernel struct {
	keeper   *keeper
	session  string
	cancel   context.CancelFunc // ends the sockets and what waits on them
	shell    zmq4.Socket
	control  zmq4.Socket
	stdin    zmq4.Socket
	iopub    zmq4.Socket
	messages chan message // from shell and iopub
	send     sync.Mutex   // one sender at a time

	executing sync.Mutex
	results   map[string]*Result // by the id of their request
	displays  map[string][]place // by display id
}

// A DeadError reports that the kernel's process has ended.
type DeadError struct {
	State string // how it ended: "exit status 2", "signal: killed"
	Log   string // the last lines it wrote to stderr or stdout
}

func (e *DeadError) Error() string {
	s := "jupyter: the kernel died: " + e.State
	if e.Log != "" {
		s += "; its last words:\n\t" + strings.ReplaceAll(strings.TrimRight(e.Log, "\n"), "\n", "\n\t")
	}
	return s
}

// Start starts a kernel and waits until it answers. It returns an error when
// the program cannot be started, when it ends before it has answered (a
// *DeadError), and when ctx is done first; nothing is left running then.
func Start(ctx context.Context, spec Spec) (*Kernel, error) {
	if len(spec.Argv) == 0 {
		return nil, errors.New("jupyter: Spec.Argv is empty: want the kernel's program and arguments")
	}
	kp, err := startKeeper(spec)
	if err != nil {
		return nil, fmt.Errorf("jupyter: %w", err)
	}
	life, cancel := context.WithCancel(context.Background())
	k := &Kernel{
		keeper:   kp,
		session:  newID(),
		cancel:   cancel,
		messages: make(chan message, 64),
		results:  map[string]*Result{},
		displays: map[string][]place{},
	}
	if err := k.connect(ctx, life); err != nil {
		k.Kill()
		return nil, err
	}
	return k, nil
}

// connect opens the sockets and waits until messages pass both ways. All
// sockets that the kernel answers to carry one identity: GoNB sends the replies
// to the control channel, and its questions, to the identity it knows from the
// shell channel.
func (k *Kernel) connect(ctx, life context.Context) error {
	id := zmq4.WithID(zmq4.SocketIdentity(k.session))
	retry := []zmq4.Option{zmq4.WithDialerRetry(5 * time.Millisecond), zmq4.WithDialerMaxRetries(-1)}
	k.shell = zmq4.NewDealer(life, append(retry, id)...)
	k.control = zmq4.NewDealer(life, append(retry, id)...)
	k.stdin = zmq4.NewDealer(life, append(retry, id)...)
	k.iopub = zmq4.NewSub(life, retry...)
	if err := k.iopub.SetOption(zmq4.OptionSubscribe, ""); err != nil {
		return fmt.Errorf("jupyter: %w", err)
	}
	dialed := make(chan error, 1)
	go func() {
		dial := func(socket zmq4.Socket, port int) error {
			return socket.Dial(fmt.Sprintf("ipc://%s-%d", k.keeper.conn.IP, port))
		}
		dialed <- errors.Join(dial(k.shell, shellPort), dial(k.control, controlPort), dial(k.stdin, stdinPort), dial(k.iopub, iopubPort))
	}()
	select {
	case err := <-dialed:
		if err != nil {
			return fmt.Errorf("jupyter: connecting to the kernel: %w", err)
		}
	case <-k.keeper.ended:
		return k.keeper.death
	case <-ctx.Done():
		return fmt.Errorf("jupyter: waiting for the kernel to listen: %w", context.Cause(ctx))
	}
	go k.receive(life, k.shell, k.messages)
	go k.receive(life, k.control, nil)
	go k.receive(life, k.iopub, k.messages)
	go k.answerInput(life)

	// The kernel may take our subscription to what it publishes after the first
	// requests, whose messages are lost then. So ask until both ways have
	// brought an answer.
	requests := map[string]bool{}
	replied, published := false, false
	for ask := time.After(0); !replied || !published; {
		select {
		case <-ask:
			id, err := k.request(k.shell, "kernel_info_request", struct{}{})
			if err != nil {
				return fmt.Errorf("jupyter: %w", err)
			}
			requests[id] = true
			ask = time.After(50 * time.Millisecond)
		case m := <-k.messages:
			if requests[m.Parent.ID] {
				replied = replied || m.Header.Type == "kernel_info_reply"
				published = published || m.Header.Type == "status"
			}
		case <-k.keeper.ended:
			return k.keeper.death
		case <-ctx.Done():
			return fmt.Errorf("jupyter: waiting for the kernel to answer: %w", context.Cause(ctx))
		}
	}
	return nil
}

// receive passes the messages of a socket on, or drops them if to is nil,
// until the socket closes.
func (k *Kernel) receive(life context.Context, socket zmq4.Socket, to chan<- message) {
	for {
		raw, err := socket.Recv()
		if err != nil {
			return
		}
		m, err := parseMessage(raw.Frames, k.keeper.conn.Key)
		if err != nil || to == nil {
			continue
		}
		select {
		case to <- m:
		case <-life.Done():
			return
		}
	}
}

// unheard is how long GoNB v0.11.4 may be deaf after it has asked for input: it
// sends the request first and only then notes who wants the answer, and drops
// an answer that comes in between.
const unheard = 100 * time.Millisecond

// answerInput gives an empty line to every program that asks for input: there
// is nobody to ask.
func (k *Kernel) answerInput(life context.Context) {
	for {
		raw, err := k.stdin.Recv()
		if err != nil {
			return
		}
		m, err := parseMessage(raw.Frames, k.keeper.conn.Key)
		if err != nil || m.Header.Type != "input_request" {
			continue
		}
		// Counted before it is answered: the answer may end the cell.
		select {
		case k.messages <- m:
		case <-life.Done():
			return
		}
		select {
		case <-time.After(unheard):
		case <-life.Done():
			return
		}
		if _, err := k.reply(k.stdin, m.Header, "input_reply", map[string]any{"value": ""}); err != nil {
			return
		}
	}
}

func (k *Kernel) request(socket zmq4.Socket, kind string, content any) (id string, err error) {
	return k.reply(socket, header{}, kind, content)
}

// reply sends a message that answers parent, and returns its id.
func (k *Kernel) reply(socket zmq4.Socket, parent header, kind string, content any) (id string, err error) {
	h := header{
		ID: newID(), Session: k.session, Username: "marginalia",
		Date: time.Now().UTC().Format(time.RFC3339Nano), Type: kind, Version: "5.3",
	}
	frames, err := formatMessage(h, parent, content, k.keeper.conn.Key)
	if err != nil {
		return "", err
	}
	k.send.Lock()
	defer k.send.Unlock()
	return h.ID, socket.SendMulti(zmq4.NewMsgFrom(frames...))
}

// Interrupt asks the kernel to stop what it executes, on the control channel.
// GoNB does so when the cell's program runs, and not while it compiles.
func (k *Kernel) Interrupt() error {
	if _, err := k.request(k.control, "interrupt_request", struct{}{}); err != nil {
		return fmt.Errorf("jupyter: interrupting: %w", err)
	}
	return nil
}

// shutdownTime is how long Shutdown waits for the kernel to end by itself.
const shutdownTime = time.Second

// Shutdown asks the kernel to end, kills it if it does not within a second,
// and returns when its descendants and its temporary directory are gone. It
// may be called again, and after Kill.
func (k *Kernel) Shutdown() {
	if _, err := k.request(k.control, "shutdown_request", map[string]any{"restart": false}); err == nil {
		select {
		case <-k.keeper.ended:
		case <-time.After(shutdownTime):
		}
	}
	k.Kill()
}

// Kill is Shutdown without asking.
func (k *Kernel) Kill() {
	k.keeper.close()
	k.cancel()
	for _, socket := range []zmq4.Socket{k.shell, k.control, k.stdin, k.iopub} {
		socket.Close() // also ends the connections, which a context does not
	}
}
