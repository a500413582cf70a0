package host

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"marginalia/internal/sandbox/guest"
	"marginalia/internal/sandbox/guest/wire"
	"marginalia/internal/testkit/must"
)

// TestMain makes this binary, with JUDGE_ENDLESS in its environment, a judge whose one test
// does not end.
func TestMain(m *testing.M) {
	if os.Getenv("JUDGE_ENDLESS") == "" {
		os.Exit(m.Run())
	}
	Table(func(*wire.End) *wire.Table { return wire.NewTable() })
	Main(map[string]func(*T){"TestEndless": func(*T) {
		fmt.Println("begun")
		for {
			runtime.Gosched()
		}
	}})
}

// A judge ends with its grader, in the middle of a test too: one that was killed must not
// leave a process that takes a processor for ever.
func TestOrphan(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.wasm")
	if err := os.WriteFile(empty, []byte("\x00asm\x01\x00\x00\x00"), 0o600); err != nil { // a module that has nothing
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "JUDGE_ENDLESS=1")
	in := must.Get(cmd.StdinPipe()).Or(t)
	said := must.Get(cmd.StderrPipe()).Or(t)
	must.Do(t, cmd.Start())
	if err := json.NewEncoder(in).Encode(Request{Wasm: empty, Tests: []string{"TestEndless"}, Seconds: []float64{1e6}}); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(said).ReadString('\n'); line != "begun\n" {
		t.Fatalf("%q, %v", line, err)
	}
	in.Close()
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("%v, want status 1", err)
	}
}

// The interpreter's time counts for all tests together: what they have taken is taken from it, and when nothing is left
// the guest is compiled.
func TestPatience(t *testing.T) {
	Table(func(*wire.End) *wire.Table { return wire.NewTable() })
	load := func() *guest.Module { return guest.Load([]byte("\x00asm\x01\x00\x00\x00"), "", guest.Limits{}) }
	module := load()
	giveUp := func(err error) { t.Error(err) }
	works := func(*T) {
		for start := cpu(); cpu() < start+10*time.Millisecond; {
		}
	}
	left := time.Hour
	for i := 1; i <= 2; i++ {
		r, _ := run(module, "TestWorks", works, &left, time.Hour, giveUp)
		if taken := time.Hour - left; !r.Checks[0].Passed || taken < time.Duration(i)*10*time.Millisecond || module.Ready(guest.Compiled) {
			t.Errorf("%+v, %v are left, compiled %t", r.Checks, left, module.Ready(guest.Compiled))
		}
	}
	left, module = 0, load()
	if r, _ := run(module, "TestWorks", works, &left, time.Hour, giveUp); !r.Checks[0].Passed || !module.Ready(guest.Compiled) || module.Ready(guest.Interpreted) {
		t.Errorf("nothing is left: %+v, compiled %t, interpreted %t", r.Checks, module.Ready(guest.Compiled), module.Ready(guest.Interpreted))
	}
}
