package grade

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync/atomic"
	"time"

	"marginalia/internal/base/processes"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/sandbox/guest/wire"
	"marginalia/internal/sandbox/host"
)

// A Process is a judge. It is started anew for each submission, since what one does to the
// lecturer's variables must not decide on the marks of another.
type Process struct {
	program, dir string
	// Patience is how long a test may last by the clock. It is for a judge that hangs: a
	// student's endless loop ends by the processor's time, which does not depend on what else
	// the machine does.
	Patience time.Duration

	cmd *exec.Cmd
	in  io.WriteCloser
	out *json.Decoder
	end context.CancelFunc
	// late says that the judge was ended because it did not answer.
	late *atomic.Bool
}

// NewProcess returns a judge that runs the program which assignment.BuildJudge has built. It works in dir, where
// tests can read what lies beside the notebook, or in the caller's folder if dir is "".
func NewProcess(program, dir string) *Process {
	return &Process{program: program, dir: dir, Patience: 10 * time.Minute}
}

func (p *Process) start(student string) error {
	ctx, end := context.WithCancel(context.Background())
	p.cmd, p.end, p.late = processes.Command(ctx, p.program), end, new(atomic.Bool)
	p.cmd.WaitDelay, p.cmd.Dir = time.Second, p.dir
	p.cmd.Env = append(os.Environ(), wire.Student+"="+student)
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	p.out = json.NewDecoder(bufio.NewReader(out))
	if err := p.cmd.Start(); err != nil {
		p.cmd = nil
		return &assignment.MachineError{What: fmt.Sprintf("the judge does not start: %v", err)}
	}
	return nil
}

// Ask runs tests and returns a result for each. If the judge ends in one, or does not answer,
// that test is failed, and another judge runs those behind it. If the judge was killed, which nothing does that a student's code can do,
// the test is asked for once more; the second time that is an *assignment.MachineError. The judge has ended when Ask returns.
func (p *Process) Ask(ctx context.Context, q host.Request) ([]host.Result, error) {
	defer p.Close()
	var results []host.Result
	var last *host.Result // of the test that is going on, if the judge ends in it
	killed := -1          // the test in which somebody has killed the judge
	for len(results) < len(q.Tests) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if p.cmd == nil {
			if _, err := again(ctx, func() (struct{}, error) { return struct{}{}, p.start(q.Student) }); err != nil {
				return nil, err
			}
		}
		rest := q
		rest.Tests, rest.Seconds = q.Tests[len(results):], q.Seconds[len(results):]
		for _, r := range results {
			rest.Spent += r.Seconds
		}
		err := json.NewEncoder(p.in).Encode(rest)
		for err == nil && len(results) < len(q.Tests) {
			var r host.Reply
			if r, err = p.reply(ctx); err != nil {
				break
			}
			if r.Err != "" {
				return nil, fmt.Errorf("grade: %s", r.Err)
			}
			if r.If {
				last = &r.Result
				continue
			}
			if last = nil; r.Again {
				q.Compiled = true
			} else {
				results = append(results, r.Result)
			}
			if r.Last || r.Again {
				p.Close()
				break
			}
		}
		if err != nil {
			exit, late := p.died()
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if exit != nil && !late && assignment.Killed(exit) {
				if killed == len(results) {
					return nil, &assignment.MachineError{What: fmt.Sprintf("the judge was ended twice in %s (%v)", q.Tests[killed], exit)}
				}
				killed, last = len(results), nil
				continue
			}
			name := q.Tests[len(results)]
			if last == nil {
				last = &host.Result{Checks: []host.Check{{Name: name, Panic: "the test did not come to its end"}}}
			}
			results, last = append(results, *last), nil
		}
	}
	return results, nil
}

// reply reads a line. The judge is killed if it does not come.
func (p *Process) reply(ctx context.Context) (r host.Reply, err error) {
	late := time.AfterFunc(p.Patience, func() { p.late.Store(true); p.end() })
	defer late.Stop()
	defer context.AfterFunc(ctx, p.end)()
	return r, p.out.Decode(&r)
}

// died says how the judge has ended, or is about to, and whether it is this program that has ended it.
func (p *Process) died() (exit *exec.ExitError, late bool) {
	if p.cmd == nil {
		return nil, false
	}
	state := p.late
	stop := time.AfterFunc(10*time.Second, func() { state.Store(true); p.end() })
	p.in.Close()
	err := p.cmd.Wait()
	stop.Stop()
	p.end()
	p.cmd = nil
	exit, _ = errors.AsType[*exec.ExitError](err)
	return exit, state.Load()
}

// Close ends the judge, if one runs.
func (p *Process) Close() {
	if p.cmd == nil {
		return
	}
	p.in.Close()
	p.end()
	p.cmd.Wait()
	p.cmd = nil
}
