package grade

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"marginalia/internal/judge"
)

// A Process is a running judge. It judges one submission after the other.
type Process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *json.Decoder
	err strings.Builder
}

// StartJudge starts the program that assignment.BuildJudge has built.
func StartJudge(ctx context.Context, program string) (*Process, error) {
	p := &Process{cmd: exec.CommandContext(ctx, program)}
	p.cmd.Stderr = &p.err
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = json.NewDecoder(bufio.NewReader(out))
	return p, p.cmd.Start()
}

// Ask sends a request and waits for the reply. After an error the process is of no more use.
func (p *Process) Ask(q judge.Request) (judge.Reply, error) {
	var r judge.Reply
	err := json.NewEncoder(p.in).Encode(q)
	if err == nil {
		err = p.out.Decode(&r)
	}
	if err != nil {
		p.Close()
		return r, fmt.Errorf("grade: the judge ended: %w\n%s", err, p.err.String())
	}
	return r, nil
}

// Close ends the process.
func (p *Process) Close() error {
	p.in.Close()
	return p.cmd.Wait()
}
