//go:build unix

package display

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// offered are the sliders of this program.
var offered struct {
	sync.Mutex
	names  []string
	frames map[string]func(float64) ([]byte, error)
	main   [2]*os.File // a pipe that is closed when main has returned
}

func offer(name string, frame func(float64) ([]byte, error)) {
	offered.Lock()
	defer offered.Unlock()
	if offered.frames == nil {
		r, w, err := os.Pipe()
		if err != nil {
			return // the stored frames are there
		}
		offered.main = [2]*os.File{r, w}
		offered.frames = map[string]func(float64) ([]byte, error){}
		os.Setenv(mainEnv, strconv.Itoa(int(w.Fd())))
		go func() {
			r.Read(make([]byte, 1)) // nobody writes: main has returned
			if serve() != nil {
				os.Exit(0) // as it would have without sliders
			}
		}()
	}
	if offered.frames[name] == nil {
		offered.names = append(offered.names, name)
	}
	offered.frames[name] = frame
}

// patienceForFront is how long the kernel may take to connect.
const patienceForFront = 30 * time.Second

// serve makes frames until the connection to the kernel is closed, which ends the program.
// An error means that there was none.
func serve() error {
	offered.Lock() // a goroutine that main left behind offers in vain
	socket := filepath.Join(os.TempDir(), fmt.Sprintf("sliders-%d", os.Getpid()))
	listener, err := listen(socket)
	if err != nil {
		return err
	}
	defer os.Remove(socket)
	stay, err := json.Marshal(Stay{Socket: socket, Sliders: offered.names})
	if err != nil {
		return err
	}
	// What frames print belongs to no cell, and GoNB waits for the end of what cells print.
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if err := errors.Join(redirect(1, null), redirect(2, null)); err != nil {
		return err
	}
	if err := Send(Data{Data: Bundle{StayType: string(stay)}}); err != nil {
		return err
	}
	mu.Lock()
	kernel.close()
	mu.Unlock()
	conn, err := accept(listener)
	if err != nil {
		return err
	}
	os.Remove(socket)
	newServer(conn).run()
	return nil
}

// listen returns a socket at a path. Package net, or that of golang.org/x/sys, would make every
// cell that draws larger.
func listen(path string) (fd int, err error) {
	if fd, err = syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0); err != nil {
		return 0, err
	}
	syscall.CloseOnExec(fd)
	return fd, errors.Join(syscall.Bind(fd, &syscall.SockaddrUnix{Name: path}), syscall.Listen(fd, 1))
}

func accept(listener int) (*os.File, error) {
	late := time.AfterFunc(patienceForFront, func() { os.Exit(0) })
	defer late.Stop()
	for {
		fd, _, err := syscall.Accept(listener)
		switch err {
		case nil:
			syscall.CloseOnExec(fd)
			return os.NewFile(uintptr(fd), "kernel"), nil
		case syscall.EINTR:
		default:
			return nil, err
		}
	}
}

// A server answers moves.
type server struct {
	conn  *os.File
	write sync.Mutex

	mu    sync.Mutex
	moves []Move // not answered, at most one by each
	some  chan struct{}
}

func newServer(conn *os.File) *server { return &server{conn: conn, some: make(chan struct{}, 1)} }

func (s *server) run() {
	limit := memoryLimit()
	debug.SetMemoryLimit(limit)
	debug.FreeOSMemory()
	go s.watch(limit)
	go s.read()
	for {
		m := s.next()
		f := Frame{Slider: m.Slider, Value: m.Value, By: m.By}
		if svg, err := draw(m); err != nil {
			f.Error = err.Error()
		} else {
			f.SVG = string(svg)
		}
		s.say(f)
	}
}

// read takes moves until the connection is closed, also while a frame is being drawn.
func (s *server) read() {
	for dec := json.NewDecoder(s.conn); ; {
		var m Move
		if dec.Decode(&m) != nil {
			os.Exit(0)
		}
		s.put(m)
	}
}

// put takes a move, in place of one that waits for the same page.
func (s *server) put(m Move) {
	s.mu.Lock()
	s.moves = slices.DeleteFunc(s.moves, func(old Move) bool { return old.By == m.By })
	s.moves = append(s.moves, m)
	s.mu.Unlock()
	select {
	case s.some <- struct{}{}:
	default:
	}
}

// next returns the move that has waited longest.
func (s *server) next() Move {
	for {
		s.mu.Lock()
		if len(s.moves) > 0 {
			m := s.moves[0]
			s.moves = s.moves[1:]
			s.mu.Unlock()
			return m
		}
		s.mu.Unlock()
		<-s.some
	}
}

func (s *server) say(f Frame) {
	s.write.Lock()
	defer s.write.Unlock()
	if json.NewEncoder(s.conn).Encode(f) != nil {
		os.Exit(0)
	}
}

// draw makes the frame for a move. What panics in a cell would end it; here the reader
// is told, and moves on.
func draw(m Move) (svg []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	frame := offered.frames[m.Slider]
	if frame == nil {
		return nil, fmt.Errorf("the program has no slider %q", m.Slider)
	}
	return frame(m.Value)
}

// watchEvery is how often memory is measured: within that time a program cannot take much.
const watchEvery = 100 * time.Millisecond

// watch ends the program if it uses more memory than it may.
func (s *server) watch(limit int64) {
	var use runtime.MemStats
	for range time.Tick(watchEvery) {
		runtime.ReadMemStats(&use)
		if used := int64(use.Sys - use.HeapReleased); used > limit {
			s.say(Frame{Error: fmt.Sprintf("the cell's program uses %d MB and may use %d: see %s", used>>20, limit>>20, SliderMemoryEnv)})
			os.Exit(0)
		}
	}
}

func memoryLimit() int64 {
	mb, err := strconv.ParseInt(os.Getenv(SliderMemoryEnv), 10, 64)
	if err != nil || mb <= 0 {
		mb = DefaultSliderMemory
	}
	return mb << 20
}
