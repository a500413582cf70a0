//go:build unix

package jupyter

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/base/processes"
	"marginalia/internal/notebook/workspace"
)

// keeperArg, as the only argument, makes an executable that calls KeeperMain a keeper.
const keeperArg = "__keeper"

// keeperReady is set when KeeperMain was called. Without that call Start would
// start the program as such again, which may start it again.
var keeperReady atomic.Bool

// KeeperMain makes this process a keeper if it was started as one, and does
// not return then. Otherwise it returns at once and permits Start.
func KeeperMain() {
	if len(os.Args) == 2 && os.Args[1] == keeperArg {
		os.Exit(keep())
	}
	keeperReady.Store(true)
}

// What the client and the keeper say to each other, as JSON: an order and
// later a release one way, a started and later an ended the other way.
type (
	order struct {
		Spec   Spec
		Parent int // process id of the client
	}
	release struct {
		Release bool // the client closes on purpose: it is not dead
	}
	report struct {
		Connection *Connection `json:",omitempty"` // the kernel was started
		Error      string      `json:",omitempty"` // it could not be
		State      string      `json:",omitempty"` // it has ended
		Log        string      `json:",omitempty"`
	}
)

// Stopped is the State of a kernel whose keeper was told by a signal to end it.
const Stopped = "its keeper was told to end it"

// A keeper is the client's side of one.
type keeper struct {
	cmd     *exec.Cmd
	orders  io.WriteCloser
	conn    Connection
	ended   chan struct{} // closed when the kernel has ended; death is set then
	death   *DeadError
	gone    chan struct{} // closed when the keeper has ended
	closing sync.Once
}

// startKeeper starts a keeper and, through it, the kernel.
func startKeeper(spec Spec) (*keeper, error) {
	if !keeperReady.Load() {
		return nil, errors.New("Start was called before KeeperMain: call jupyter.KeeperMain first thing in main or TestMain")
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if spec.Dir, err = filepath.Abs(spec.Dir); err != nil {
		return nil, err
	}
	kp := &keeper{cmd: exec.Command(self, keeperArg), ended: make(chan struct{}), gone: make(chan struct{})}
	kp.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // out of reach of the terminal's Ctrl-C
	if kp.orders, err = kp.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	reports, err := kp.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := kp.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting this program again as keeper of the kernel: %w", err)
	}
	dec := json.NewDecoder(reports)
	var first report
	if err = json.NewEncoder(kp.orders).Encode(order{Spec: spec, Parent: os.Getpid()}); err == nil {
		err = dec.Decode(&first)
	}
	if err != nil || first.Error != "" {
		kp.orders.Close()
		kp.cmd.Wait()
		if err != nil {
			return nil, fmt.Errorf("the keeper of the kernel did not start: %w (%v)", err, kp.cmd.ProcessState)
		}
		return nil, fmt.Errorf("starting the kernel: %s", first.Error)
	}
	kp.conn = *first.Connection
	go func() {
		var end report
		if dec.Decode(&end) != nil {
			end.State = "its keeper ended before it"
		}
		kp.death = &DeadError{State: end.State, Log: end.Log}
		close(kp.ended)
		io.Copy(io.Discard, reports)
		kp.cmd.Wait()
		close(kp.gone)
	}()
	return kp, nil
}

// close lets the keeper end the kernel, and returns when both are gone.
func (kp *keeper) close() {
	kp.closing.Do(func() {
		json.NewEncoder(kp.orders).Encode(release{true})
		kp.orders.Close()
	})
	<-kp.gone
}

// keep is the main function of a keeper.
func keep() int {
	// On Linux the kernel gets a signal when the thread that started it ends: this one.
	runtime.LockOSThread()
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // a dead client must not kill the keeper
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)

	orders := json.NewDecoder(os.Stdin)
	reports := json.NewEncoder(os.Stdout)
	var o order
	if orders.Decode(&o) != nil {
		return 1 // the client died at once
	}
	processes.AdoptOrphans()
	kernel, err := startKernel(o.Spec)
	if err != nil {
		reports.Encode(report{Error: err.Error()})
		kernel.remove()
		return 1
	}
	reports.Encode(report{Connection: &kernel.conn})

	released := make(chan bool, 1)
	go func() {
		var r release
		orders.Decode(&r)
		released <- r.Release
	}()
	alive := true
	select {
	case <-kernel.ended:
		reports.Encode(kernel.end())
		processes.EndAll(kernel.cmd.Process.Pid)
		kernel.remove()
		alive = <-released
	case alive = <-released:
		processes.EndAll(kernel.cmd.Process.Pid)
		<-kernel.ended
		reports.Encode(kernel.end())
	case <-stop:
		processes.EndAll(kernel.cmd.Process.Pid)
		<-kernel.ended
		reports.Encode(report{State: Stopped})
	}
	kernel.remove()
	if !alive {
		// The client's pipe has closed; it may yet write until it is dead for good.
		for range 1000 {
			if os.Getppid() != o.Parent {
				break
			}
			time.Sleep(time.Millisecond)
		}
		for _, file := range o.Spec.Writes {
			atomicfile.Clean(file)
		}
	}
	return 0
}

// A kernelProcess is the keeper's side of a kernel.
type kernelProcess struct {
	cmd   *exec.Cmd
	conn  Connection
	dirs  []string // to remove in the end
	log   tail     // complete when ended is closed
	ended chan struct{}
}

// longestSocket is what fits into a socket's address on every system, less some
// for the channel's number (sockaddr_un.sun_path has 104 bytes on macOS).
const longestSocket = 96

// startKernel starts the kernel with a temporary directory of its own. What it
// returns is to be removed also if there is an error.
func startKernel(spec Spec) (*kernelProcess, error) {
	k := &kernelProcess{ended: make(chan struct{})}
	dir, err := os.MkdirTemp("", "marginalia-kernel-")
	if err != nil {
		return k, err
	}
	k.dirs = append(k.dirs, dir)
	sockets := dir
	if len(dir)+len("/k") > longestSocket {
		if sockets, err = os.MkdirTemp("/tmp", "marginalia-kernel-"); err != nil {
			return k, err
		}
		k.dirs = append(k.dirs, sockets)
	}
	k.conn = Connection{
		Transport: "ipc", IP: filepath.Join(sockets, "k"),
		ShellPort: int(Shell), IOPubPort: int(IOPub), StdinPort: int(Stdin), ControlPort: int(Control), HBPort: int(Heartbeat),
		SignatureScheme: "hmac-sha256", Key: spec.Key,
	}
	if k.conn.Key == "" {
		k.conn.Key = newID()
	}
	data, err := json.Marshal(k.conn)
	if err != nil {
		return k, err
	}
	file := filepath.Join(dir, spec.connectionFile())
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return k, err
	}
	argv := make([]string, len(spec.Argv))
	for i, a := range spec.Argv {
		argv[i] = strings.ReplaceAll(a, "{connection_file}", file)
	}
	k.cmd = exec.Command(argv[0], argv[1:]...)
	k.cmd.Dir = spec.Dir
	k.cmd.Env = append(append(os.Environ(), spec.Env...), "PWD="+spec.Dir, "TMPDIR="+dir, workspace.FolderEnv+"="+sockets)
	k.cmd.Stdout, k.cmd.Stderr = &k.log, &k.log
	k.cmd.WaitDelay = 100 * time.Millisecond // for the rest of its log, which a child may hold open
	k.cmd.SysProcAttr = processes.Attributes()
	if err := k.cmd.Start(); err != nil {
		return k, err
	}
	go func() {
		k.cmd.Wait()
		close(k.ended)
	}()
	return k, nil
}

func (k *kernelProcess) end() report {
	state := "it ended"
	if k.cmd.ProcessState != nil {
		state = k.cmd.ProcessState.String()
	}
	return report{State: state, Log: k.log.String()}
}

// remove removes the directories, also such folders in them as forbid it.
func (k *kernelProcess) remove() {
	for _, dir := range k.dirs {
		if os.RemoveAll(dir) == nil {
			continue
		}
		filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if d != nil && d.IsDir() {
				os.Chmod(path, 0o700)
			}
			return nil
		})
		os.RemoveAll(dir)
	}
}

// A tail keeps the last lines that were written to it.
type tail []byte

const (
	tailBytes = 16 << 10
	tailLines = 20
)

func (t *tail) Write(p []byte) (int, error) {
	*t = append(*t, p...)
	*t = slices.Delete(*t, 0, max(0, len(*t)-tailBytes))
	return len(p), nil
}

func (t tail) String() string {
	lines := strings.SplitAfter(strings.ToValidUTF8(string(t), "\ufffd"), "\n")
	return strings.Join(lines[max(0, len(lines)-tailLines):], "")
}
