package celltest

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"

	"marginalia/internal/base/processes"
)

// On the kernel the parent of a cell is GoNB. A cell that ends its parent must not end the process
// that reports on all cells, so one that may touch other processes gets a parent of its own: this
// executable again, which starts the cell and does nothing else.

// starterArg, as the first argument, makes an executable that calls StarterMain a starter.
const starterArg = "__starter"

// starterReady is set when StarterMain was called. Without that call a cell would start the
// program as such again.
var starterReady atomic.Bool

// StarterMain makes this process a starter if it was started as one, and does not return then.
// Otherwise it returns at once and permits cells that need one.
func StarterMain() {
	if len(os.Args) > 3 && os.Args[1] == starterArg {
		os.Exit(startCell(os.Args[2], os.Args[3:]))
	}
	starterReady.Store(true)
}

// reportsFile is the file on which a starter reports.
const reportsFile = 3

// A report is what a starter says: first Pid or Error, then Ended.
type report struct {
	Pid   int    `json:",omitempty"`
	Error string `json:",omitempty"` // why the program did not start
	Ended string `json:",omitempty"` // how the program ended
}

// startCell is the main function of a starter.
func startCell(path string, args []string) int {
	syscall.CloseOnExec(reportsFile)
	reports := json.NewEncoder(os.NewFile(reportsFile, "reports"))
	cmd := exec.Cmd{Path: path, Args: args, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, SysProcAttr: processes.Attributes()}
	if err := cmd.Start(); err != nil {
		reports.Encode(report{Error: err.Error()})
		return 1
	}
	reports.Encode(report{Pid: cmd.Process.Pid})
	cmd.Wait()
	reports.Encode(report{Ended: cmd.ProcessState.String()})
	return 0
}

// A process is the program of a cell, which has a process group of its own.
type process struct {
	cmd     *exec.Cmd
	from    *os.File      // what its starter writes to; nil if it has none
	reports *json.Decoder // reads from
	pid     atomic.Int64  // 0 until it is known
}

// errParent is what is wrong with a cell that has ended its starter.
var errParent = errors.New("it ends the process that has started it, which is GoNB's kernel: remove that")

// start starts the program.
func (p *process) start(apart bool) error {
	p.cmd.SysProcAttr = processes.Attributes()
	p.cmd.Cancel = func() error { return p.signal(syscall.SIGINT) }
	if !apart {
		err := p.cmd.Start()
		if err == nil {
			p.pid.Store(int64(p.cmd.Process.Pid))
		}
		return err
	}
	if !starterReady.Load() {
		return errors.New("celltest: a cell that may touch other processes was run before StarterMain: call celltest.StarterMain first thing in main or TestMain, or export the notebook again")
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	from, to, err := os.Pipe()
	if err != nil {
		return err
	}
	p.from, p.reports = from, json.NewDecoder(from)
	p.cmd.Args = append([]string{self, starterArg, p.cmd.Path}, p.cmd.Args...)
	p.cmd.Path, p.cmd.ExtraFiles = self, []*os.File{to}
	err = p.cmd.Start()
	to.Close()
	if err != nil {
		from.Close()
		return err
	}
	r := p.report()
	if r.Pid == 0 {
		from.Close()
		p.cmd.Wait()
		if r.Error != "" {
			return errors.New(r.Error)
		}
		return errParent // at once
	}
	p.pid.Store(int64(r.Pid))
	return nil
}

func (p *process) report() (r report) {
	_ = p.reports.Decode(&r) // of a starter that has died nothing comes
	return r
}

// signal sends a signal to the program and all that it has started.
func (p *process) signal(s syscall.Signal) error {
	if pid := p.pid.Load(); pid != 0 {
		return syscall.Kill(-int(pid), s)
	}
	return p.cmd.Process.Kill()
}

// goesOn reports whether the program has left something running.
func (p *process) goesOn() bool { return p.pid.Load() != 0 && p.signal(0) == nil }

// wait waits for the end of the program. The words say how it ended, if it failed.
func (p *process) wait() (failed string, err error) {
	err = p.cmd.Wait()
	if p.from != nil {
		defer p.from.Close()
		switch r := p.report(); r.Ended {
		case "":
			return "", errParent
		case "exit status 0":
		default:
			return r.Ended, nil
		}
	}
	if exit, failed := errors.AsType[*exec.ExitError](err); failed {
		return exit.Error(), nil
	}
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	return "", err
}
