package grade

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"marginalia/internal/guest/wire"
	"marginalia/internal/judge"
	"marginalia/internal/processes"
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
}

// NewProcess returns a judge that runs the program which assignment.BuildJudge has built. It works in dir, where
// tests can read what lies beside the notebook, or in the caller's folder if dir is "".
func NewProcess(program, dir string) *Process {
	return &Process{program: program, dir: dir, Patience: 10 * time.Minute}
}

func (p *Process) start(student string) error {
	ctx, end := context.WithCancel(context.Background())
	p.cmd, p.end = processes.Command(ctx, p.program), end
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
		return fmt.Errorf("grade: the judge does not start: %w", err)
	}
	return nil
}

// Ask runs tests and returns a result for each. If the judge ends in one, or does not answer,
// that test is failed, and another judge runs those behind it. The judge has ended when Ask returns.
func (p *Process) Ask(ctx context.Context, q judge.Request) ([]judge.Result, error) {
	defer p.Close()
	var results []judge.Result
	var last *judge.Result // of the test that is going on, if the judge ends in it
	for len(results) < len(q.Tests) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if p.cmd == nil {
			if err := p.start(q.Student); err != nil {
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
			var r judge.Reply
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
			p.Close()
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			name := q.Tests[len(results)]
			if last == nil {
				last = &judge.Result{Checks: []judge.Check{{Name: name, Panic: "the test did not come to its end"}}}
			}
			results, last = append(results, *last), nil
		}
	}
	return results, nil
}

// reply reads a line. The judge is killed if it does not come.
func (p *Process) reply(ctx context.Context) (r judge.Reply, err error) {
	late := time.AfterFunc(p.Patience, p.end)
	defer late.Stop()
	defer context.AfterFunc(ctx, p.end)()
	return r, p.out.Decode(&r)
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
