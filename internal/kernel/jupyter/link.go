//go:build unix

package jupyter

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
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

	// Key signs messages, and File names the connection file; "" means a new one. A kernel
	// behind a front shares the front's: messages then pass without a new signature, and GoNB
	// takes the kernel's id from the file name, by which its pages find it.
	Key, File string
}

// A Link is a kernel that was started, and the sockets to it. Its methods may be called
// from several goroutines.
type Link struct {
	Session  string       // of this side
	Messages chan Message // what the kernel sends, on any channel but Heartbeat; there has to be a reader

	keeper  *keeper
	cancel  context.CancelFunc // ends the sockets and what waits on them
	sockets map[Channel]zmq4.Socket
	send    sync.Mutex // one sender at a time
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

// Open starts a kernel and waits until it answers. It returns an error when
// the program cannot be started, when it ends before it has answered (a
// *DeadError), and when ctx is done first; nothing is left running then.
func Open(ctx context.Context, spec Spec) (*Link, error) {
	if len(spec.Argv) == 0 {
		return nil, errors.New("jupyter: Spec.Argv is empty: want the kernel's program and arguments")
	}
	kp, err := startKeeper(spec)
	if err != nil {
		return nil, fmt.Errorf("jupyter: %w", err)
	}
	life, cancel := context.WithCancel(context.Background())
	l := &Link{Session: newID(), Messages: make(chan Message, 64), keeper: kp, cancel: cancel, sockets: map[Channel]zmq4.Socket{}}
	if err := l.connect(ctx, life); err != nil {
		l.Kill()
		return nil, err
	}
	return l, nil
}

// connect opens the sockets and waits until messages pass both ways. All
// sockets that the kernel answers to carry one identity: GoNB sends the replies
// to the control channel, and its questions, to the identity it knows from the
// shell channel.
func (l *Link) connect(ctx, life context.Context) error {
	id := zmq4.WithID(zmq4.SocketIdentity(l.Session))
	retry := []zmq4.Option{zmq4.WithDialerRetry(5 * time.Millisecond), zmq4.WithDialerMaxRetries(-1)}
	for _, ch := range []Channel{Shell, Control, Stdin} {
		l.sockets[ch] = zmq4.NewDealer(life, append(retry, id)...)
	}
	l.sockets[IOPub] = zmq4.NewSub(life, retry...)
	if err := l.sockets[IOPub].SetOption(zmq4.OptionSubscribe, ""); err != nil {
		return fmt.Errorf("jupyter: %w", err)
	}
	dialed := make(chan error, 1)
	go func() {
		var all error
		for ch, socket := range l.sockets {
			all = errors.Join(all, socket.Dial(l.keeper.conn.Endpoint(ch)))
		}
		dialed <- all
	}()
	select {
	case err := <-dialed:
		if err != nil {
			return fmt.Errorf("jupyter: connecting to the kernel: %w", err)
		}
	case <-l.Ended():
		return l.Death()
	case <-ctx.Done():
		return fmt.Errorf("jupyter: waiting for the kernel to listen: %w", context.Cause(ctx))
	}
	for ch, socket := range l.sockets {
		go Receive(life, ch, socket, l.keeper.conn.Key, l.Messages)
	}

	// The kernel may take our subscription to what it publishes after the first
	// requests, whose messages are lost then. So ask until both ways have
	// brought an answer.
	requests := map[string]bool{}
	replied, published := false, false
	for ask := time.After(0); !replied || !published; {
		select {
		case <-ask:
			id, err := l.Request(Shell, "kernel_info_request", struct{}{})
			if err != nil {
				return fmt.Errorf("jupyter: %w", err)
			}
			requests[id] = true
			ask = time.After(50 * time.Millisecond)
		case m := <-l.Messages:
			if requests[m.Parent.ID] {
				replied = replied || m.Header.Type == "kernel_info_reply"
				published = published || m.Header.Type == "status"
			}
		case <-l.Ended():
			return l.Death()
		case <-ctx.Done():
			return fmt.Errorf("jupyter: waiting for the kernel to answer: %w", context.Cause(ctx))
		}
	}
	return nil
}

// Receive passes the messages of a socket on until it closes or life ends. It drops frames
// that are no message or have a wrong signature.
func Receive(life context.Context, ch Channel, socket zmq4.Socket, key string, to chan<- Message) {
	for {
		raw, err := socket.Recv()
		if err != nil {
			return
		}
		m, err := Parse(ch, raw.Frames, key)
		if err != nil {
			continue
		}
		select {
		case to <- m:
		case <-life.Done():
			return
		}
	}
}

// Request sends a request, and returns its id.
func (l *Link) Request(ch Channel, kind string, content any) (id string, err error) {
	m, err := newMessage(Header{ID: newID(), Session: l.Session, Username: "marginalia", Date: now(), Type: kind, Version: version}, Header{}, content)
	if err != nil {
		return "", err
	}
	m.Channel = ch
	return m.Header.ID, l.Send(m)
}

// Send sends a message on its channel. The kernel's answers have the same IDs.
func (l *Link) Send(m Message) error {
	l.send.Lock()
	defer l.send.Unlock()
	return l.sockets[m.Channel].SendMulti(zmq4.NewMsgFrom(m.Wire(l.keeper.conn.Key)...))
}

// Ended is closed when the kernel has ended.
func (l *Link) Ended() <-chan struct{} { return l.keeper.ended }

// Folder returns a folder that is there as long as the kernel, to which [workspace.FolderEnv] names
// it, and whose path is short enough for sockets in it.
func (l *Link) Folder() string { return filepath.Dir(l.keeper.conn.IP) }

// Death says how the kernel has ended; nil if it has not.
func (l *Link) Death() *DeadError {
	select {
	case <-l.keeper.ended:
		return l.keeper.death
	default:
		return nil
	}
}

// Interrupt asks the kernel to stop what it executes, on the control channel.
// GoNB does so when the cell's program runs, and not while it compiles.
func (l *Link) Interrupt() error {
	if _, err := l.Request(Control, "interrupt_request", struct{}{}); err != nil {
		return fmt.Errorf("jupyter: interrupting: %w", err)
	}
	return nil
}

// shutdownTime is how long Shutdown waits for the kernel to end by itself.
const shutdownTime = time.Second

// Shutdown asks the kernel to end, kills it if it does not within a second,
// and returns when its descendants and its temporary directory are gone. It
// may be called again, and after Kill.
func (l *Link) Shutdown() {
	if _, err := l.Request(Control, "shutdown_request", map[string]any{"restart": false}); err == nil {
		select {
		case <-l.Ended():
		case <-time.After(shutdownTime):
		}
	}
	l.Kill()
}

// Kill is Shutdown without asking.
func (l *Link) Kill() {
	l.keeper.close()
	l.cancel()
	for _, socket := range l.sockets {
		socket.Close() // also ends the connections, which a context does not
	}
}

// connectionFile is the name of the kernel's connection file.
func (s Spec) connectionFile() string {
	if s.File != "" {
		return filepath.Base(s.File)
	}
	return "kernel-" + newID() + ".json" // GoNB takes the kernel's id from a name of this form
}
