//go:build unix

// Command front is the kernel that Jupyter starts: it speaks Jupyter's protocol with the
// clients, and runs GoNB behind it. Notebooks stay GoNB's: messages pass unchanged in both
// directions, except for what this package adds:
//
//   - The kernel describes its language completely, and the same after an update of Go, so
//     opening and saving a notebook does not change it (language.go).
//   - However the kernel ends, GoNB, gopls and running cells end too. A GoNB that dies is
//     started again with the declarations of the cells that ran, and the student is told in
//     the cell that was running (life.go).
//   - A cell that reads its standard input gets the client's input box; our GoNB asks
//     (patch 0003 in internal/kernel), and the front relays question and answer.
//   - An interrupt is repeated until the cell has ended, since GoNB drops one that comes
//     while the cell compiles (front.go).
//   - Cells wait in the front. After an error or an interrupt those that wait are aborted, as
//     Jupyter's protocol wants it (queue.go).
//   - What a cell prints is merged over a tenth of a second, and cut to its beginning and its
//     end where it is more than a page can show (output.go).
//   - Cells are built here, from what the go command has said before (builds.go), and ahead of
//     their turn (ahead.go).
//   - Errors are short: the line, a caret, the compiler's message and a hint (words.go).
//   - Below a cell that has run stands what go vet says of it, such as a format that does not fit
//     its arguments, and where GoNB does something else than the cell says; vet reads the program
//     while it is built and runs (slips.go).
//   - A cell that begins with %%time or %%bench is another for GoNB, which knows neither (gonb.Timed).
//   - A program that shows sliders stays after its cell and draws the values that pages ask
//     for, while the kernel runs other cells (sliders.go).
//   - Tab and Shift+Tab are answered by gopls, which sees a cell as GoNB will build it, and
//     is started by the first of them (completion.go).
//
// Its arguments are the connection file, GoNB, and flags for GoNB. internal/kernel builds it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/notebook/program"
)

func main() {
	jupyter.KeeperMain() // does not return in the process that keeps GoNB
	if err := serve(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "marginalia:", err)
		os.Exit(1)
	}
}

func serve(args []string) error {
	if len(args) < 2 {
		return errors.New("the kernel wants a connection file, GoNB, and GoNB's flags: it is started by Jupyter (go run . lab)")
	}
	conn, err := jupyter.ReadConnection(args[0])
	if err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	life, end := context.WithCancel(context.Background())
	defer end()
	clients, err := listen(life, conn)
	if err != nil {
		return err
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	f := &front{
		life: life, dir: dir, clients: clients, signals: signals, orphaned: orphaned(life),
		spec: jupyter.Spec{
			Argv: append([]string{args[1], "-kernel", "{connection_file}"}, args[2:]...),
			Key:  conn.Key, File: args[0],
		},
		ready: make(chan started), session: program.NewSession(dir), sources: map[int]string{}, executed: map[string]bool{},
		builds: newBuilds(life), completer: completer(), answers: make(chan answer), sliders: newSliders(), outputs: newOutputs(),
	}
	return f.run()
}

// orphaned returns a channel that is closed when the process that started this one is gone
// and can no longer ask the kernel to end.
func orphaned(life context.Context) <-chan struct{} {
	gone, parent := make(chan struct{}), os.Getppid()
	go func() {
		for tick := time.Tick(500 * time.Millisecond); parent != 1 && life.Err() == nil; <-tick {
			if os.Getppid() != parent {
				close(gone)
				return
			}
		}
	}()
	return gone
}
