package host

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"marginalia/internal/sandbox/guest"
	"marginalia/internal/sandbox/guest/wire"
)

// Cells say that Tests of a request are numbers of cells of the guest, to be run for what they
// print and show. No verdict comes of it.
type Cells struct {
	Text, Displays, Shown int     // see guest.Recorder; of each cell
	Seconds               float64 // of the processor, for all cells
}

// A Run is what became of a cell.
type Run struct {
	Pieces []guest.Piece
	Ended  string  `json:",omitempty"` // how it ended, unless it came to its end or left with os.Exit(0)
	Frames []Place `json:",omitempty"` // the lines of cells where it panicked, the innermost first
	Cut    bool    `json:",omitempty"` // it was stopped when its time was over, and depends on the machine
}

var errAll = errors.New("the cells before it have used up the notebook's time")

// cells runs cells one after the other, each in a fresh instance. It ends the program when one can't be stopped.
func cells(q Request, module *guest.Module, reply func(any) error) error {
	left, interpreted := time.Duration((q.Cells.Seconds-q.Spent)*1e9), patience
	if q.Compiled {
		interpreted = 0
	}
	for i, name := range q.Tests {
		n, err := strconv.Atoi(name)
		if err != nil {
			return err
		}
		limit := min(left, time.Duration(q.Seconds[i]*1e9))
		if limit <= 0 {
			if err := reply(Reply{Result: Result{Run: &Run{Ended: errAll.Error(), Cut: true}}}); err != nil {
				return err
			}
			continue
		}
		var once sync.Once
		start := cpu()
		stop := func(err error) {
			once.Do(func() {
				reply(Reply{Last: true, Result: Result{Run: &Run{Pieces: module.Recorder.Pieces(), Ended: err.Error(), Cut: true}, Seconds: (cpu() - start).Seconds()}})
				os.Exit(1)
			})
		}
		var run *Run
		if interpreted > 0 && !module.Ready(guest.Compiled) {
			run = runCell(module, guest.Interpreted, n, min(interpreted, limit), 2*limit, stop)
			interpreted -= cpu() - start
		}
		if run == nil {
			run = runCell(module, guest.Compiled, n, limit, 2*limit, stop)
		}
		taken := cpu() - start
		left -= taken
		once.Do(func() { err = reply(Reply{Result: Result{Run: run, Seconds: taken.Seconds()}}) })
		if err != nil {
			return err
		}
	}
	return nil
}

// runCell runs a cell. It returns nil if the interpreter takes longer than limit, and stops the program when the
// cell does not end then, and has taken all of last.
func runCell(module *guest.Module, mode guest.Mode, n int, limit, last time.Duration, stop func(error)) *Run {
	if err := prepare(module, mode, stop); err != nil {
		return &Run{Ended: err.Error()}
	}
	module.Recorder.Reset()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	start := cpu()
	over := watch(module, stop, func() {
		switch taken := cpu() - start; {
		case taken > last:
			stop(errTime)
		case taken > limit:
			cancel(errTime)
		}
	})
	in, err := module.Start(ctx, mode, func(*wire.End) *wire.Table { return wire.NewTable() })
	if err == nil {
		err = in.Cell(n)
		in.Close()
	}
	over()
	if mode == guest.Interpreted && (errors.Is(err, errTime) || errors.Is(err, guest.ErrStack)) {
		return nil
	}
	run := &Run{Pieces: module.Recorder.Pieces(), Cut: errors.Is(err, errTime)}
	exit, left := errors.AsType[*guest.ExitError](err)
	switch {
	case err == nil || left && exit.Code == 0:
	case left && exit.Crash != "":
		run.Ended, run.Frames = crash(exit)
		if !exit.Overflow() {
			run.Ended, _, _ = strings.Cut(exit.Crash, "\n\ngoroutine ")
		}
		run.Pieces = withoutCrash(run.Pieces, exit.Crash)
	default:
		run.Ended = err.Error()
	}
	return run
}

// withoutCrash takes what Go's runtime printed from the end of standard error: Ended and Frames have it,
// and the numbers in it differ from run to run.
func withoutCrash(pieces []guest.Piece, crash string) []guest.Piece {
	for i := len(pieces) - 1; i >= 0; i-- {
		if p := &pieces[i]; p.Kind == "stderr" {
			if at := strings.LastIndex(string(p.Data), crash); at >= 0 {
				p.Data = p.Data[:at]
			}
			break
		}
	}
	return pieces
}
