//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/go-zeromq/zmq4"

	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/kernel/jupyter/jupytertest"
	"marginalia/internal/testkit/must"
)

// Nothing of the kernel is left when it ends by a message, by a signal, by kill -9 of the
// front, or by kill -9 of the process that started it. Until then its heart beats, and an
// interrupt by signal ends only the cell.
func TestEnds(t *testing.T) {
	for name, end := range map[string]func(p *peer, parent *os.Process, front int) error{
		"message": func(p *peer, _ *os.Process, _ int) error {
			p.send(jupyter.Control, "shutdown_request", `{"restart":false}`)
			return nil
		},
		"SIGTERM":          func(_ *peer, _ *os.Process, front int) error { return syscall.Kill(front, syscall.SIGTERM) },
		"kill -9":          func(_ *peer, _ *os.Process, front int) error { return syscall.Kill(front, syscall.SIGKILL) },
		"kill -9 of group": func(_ *peer, parent *os.Process, _ int) error { return syscall.Kill(-parent.Pid, syscall.SIGKILL) },
		"kill -9 above":    func(_ *peer, parent *os.Process, _ int) error { return parent.Kill() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, self := place(t)
			file := filepath.Join(filepath.Dir(conn.IP), "kernel-0123abcd.json")
			data, err := json.Marshal(conn)
			if err == nil {
				err = os.WriteFile(file, data, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			marker, tmp := jupytertest.Marker(), filepath.Join(filepath.Dir(conn.IP), "t")
			must.Do(t, os.Mkdir(tmp, 0o755))
			cmd := exec.Command("sh", "-c", `"$0" "$@" & echo $!; wait`, self, file, self)
			cmd.Env = append(os.Environ(), fakeEnv+"=1", "TMPDIR="+tmp, marker)
			cmd.Stderr = os.Stderr
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			out, err := cmd.StdoutPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			line, err := bufio.NewReader(out).ReadString('\n')
			var front int
			if _, err2 := fmt.Sscan(line, &front); err != nil || err2 != nil {
				t.Fatalf("%q, %v", line, err)
			}
			jupytertest.Await(t, "the front listens", func() bool {
				_, err := os.Stat(fmt.Sprintf("%s-%d", conn.IP, conn.HBPort))
				return err == nil
			})
			p := connect(t, conn)
			heart := zmq4.NewReq(t.Context())
			defer heart.Close()
			must.Do(t, heart.Dial(conn.Endpoint(jupyter.Heartbeat)))
			must.Do(t, heart.Send(zmq4.NewMsgString("ping")))
			if beat, err := heart.Recv(); err != nil || string(beat.Bytes()) != "ping" {
				t.Errorf("the heart beats %q, %v", beat.Bytes(), err)
			}
			id := p.execute("wait")
			p.until("execute_input", id)
			must.Do(t, syscall.Kill(front, syscall.SIGINT))
			if text, reply := p.ends(id); reply["evalue"] != "signal: interrupt" {
				t.Errorf("the interrupted cell shows %q and has the reply %v", text, reply)
			}
			p.until("execute_input", p.execute("wait"))
			must.Do(t, end(p, cmd.Process, front))
			jupytertest.AwaitNoStrays(t, marker)
			if left, _ := filepath.Glob(filepath.Join(tmp, "marginalia-*")); len(left) > 0 {
				t.Errorf("temporary files left: %q", left)
			}
			_ = cmd.Wait() // it was killed, or its child was
		})
	}
}
