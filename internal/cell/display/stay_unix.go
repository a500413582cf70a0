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
	names []string
	draw  map[string]Drawer
	main  *os.File // closed when main has returned; kept here from the garbage collector
}

func offer(name string, draw Drawer) {
	if os.Getenv(PipeEnv) == "" {
		return // this is not our kernel
	}
	offered.Lock()
	defer offered.Unlock()
	if offered.draw == nil {
		r, w, err := os.Pipe()
		if err != nil {
			return // the stored frames are there
		}
		offered.main, offered.draw = w, map[string]Drawer{}
		os.Setenv(mainEnv, strconv.Itoa(int(w.Fd())))
		go func() {
			r.Read(make([]byte, 1)) // nobody writes: main has returned
			conn, err := stay()
			if err != nil {
				os.Exit(0) // as the program would have without sliders
			}
			newServer(conn).run()
		}()
	}
	if offered.draw[name] == nil {
		offered.names = append(offered.names, name)
	}
	offered.draw[name] = draw
}

// patienceForFront is how long the kernel may take to connect.
const patienceForFront = 30 * time.Second

// stay ends the cell, and returns the kernel's connection to this program.
func stay() (*os.File, error) {
	offered.Lock() // for good: goroutines of main offer nothing more
	socket := filepath.Join(os.TempDir(), fmt.Sprintf("sliders-%d", os.Getpid()))
	listener, err := listen(socket)
	if err != nil {
		return nil, err
	}
	message, err := json.Marshal(Stay{Socket: socket, Sliders: offered.names})
	if err != nil {
		return nil, err
	}
	// GoNB reads what a cell prints to its end, so the program must print nowhere from now on.
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(redirect(1, null), redirect(2, null)); err != nil {
		return nil, err
	}
	if err := Send(Data{Data: Bundle{StayType: string(message)}}); err != nil {
		return nil, err
	}
	mu.Lock()
	kernel.close()
	mu.Unlock()
	conn, err := accept(listener)
	os.Remove(socket)
	return conn, err
}

// listen returns a socket at a path. It uses package syscall, since every cell that draws
// would be linked with net or golang.org/x/sys.
func listen(path string) (fd int, err error) {
	if fd, err = syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0); err != nil {
		return 0, err
	}
	syscall.CloseOnExec(fd)
	return fd, errors.Join(syscall.Bind(fd, &syscall.SockaddrUnix{Name: path}), syscall.Listen(fd, 1))
}

// accept waits for the first connection, and ends the program if there is none.
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
	moves []Move // that wait, at most one of each page
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
		s.say(drawn(m, offered.draw[m.Slider]))
	}
}

// read takes moves, also while a frame is being drawn, and ends the program with the
// connection.
func (s *server) read() {
	for dec := json.NewDecoder(s.conn); ; {
		var m Move
		if dec.Decode(&m) != nil {
			os.Exit(0)
		}
		s.put(m)
	}
}

// put adds a move to those that wait, and drops an older one of the same page.
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

// watchEvery is the time between two looks at the memory in use. A frame that frees its memory
// sooner is not seen.
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
