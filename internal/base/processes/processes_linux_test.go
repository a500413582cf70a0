package processes

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// family, in the environment, makes the test binary one that ends a family of
// processes, told of by /proc or by ps, and prints the ids it had.
const family = "MARGINALIA_TEST_FAMILY"

func TestMain(m *testing.M) {
	if by := os.Getenv(family); by != "" {
		end(map[string]func() map[int]process{"proc": all, "ps": listed}[by])
		return
	}
	os.Exit(m.Run())
}

func end(all func() map[int]process) {
	children := func() map[int][]int { return byParent(all()) }
	AdoptOrphans()
	// The shell takes no notice of an interrupt; one child has a session of its
	// own, and the parent of another is gone.
	shell := exec.Command("sh", "-c", `trap '' INT; setsid sleep 1000 & (sleep 1001 &); echo ready; sleep 1002; sleep 1003`)
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := shell.StdoutPipe()
	if err == nil {
		err = shell.Start()
	}
	if err == nil {
		_, err = bufio.NewReader(out).ReadString('\n')
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	for len(below(os.Getpid(), children())) < 4 { // the shell and three that sleep
		time.Sleep(time.Millisecond)
	}
	fmt.Println(strings.Trim(fmt.Sprint(below(os.Getpid(), children())), "[]"))
	endAll(shell.Process.Pid, children)
}

// Nobody escapes, whichever way the processes are listed.
func TestEndAll(t *testing.T) {
	for _, by := range []string{"proc", "ps"} {
		t.Run(by, func(t *testing.T) {
			if _, err := exec.LookPath("ps"); by == "ps" && err != nil {
				t.Skip("there is no ps")
			}
			self := must.Get(os.Executable()).Or(t)
			cmd := exec.Command(self)
			cmd.Env = append(os.Environ(), family+"="+by)
			out, err := cmd.CombinedOutput()
			pids := strings.Fields(string(out))
			if err != nil || len(pids) < 4 {
				t.Fatalf("%v\n%s", err, out)
			}
			for _, text := range pids {
				var pid int
				if _, err := fmt.Sscan(text, &pid); err != nil {
					t.Fatalf("%q: %v", out, err)
				}
				if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
					t.Errorf("process %d is still there (%v)", pid, err)
				}
			}
		})
	}
}

// Kill takes along what has a session of its own.
func TestKill(t *testing.T) {
	cmd := exec.Command("sh", "-c", "exec 3<&0; setsid sh -c 'echo ready; read line; echo alive' <&3 & wait")
	release := must.Get(cmd.StdinPipe()).Or(t)
	pipe := must.Get(cmd.StdoutPipe()).Or(t)
	must.Do(t, cmd.Start())
	out := bufio.NewReader(pipe)
	if line, err := out.ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatalf("%q, %v", line, err)
	}
	Kill(cmd.Process.Pid)
	release.Close()
	if rest, err := io.ReadAll(out); err != nil || len(rest) > 0 { // the pipe ends with the last who has it
		t.Errorf("the child of what was killed said %q (%v), want nothing", rest, err)
	}
	cmd.Wait()
}

// Usage counts a shell that keeps 16 MB, and its children, by itself and below this process.
func TestUsage(t *testing.T) {
	tier.Long(t)
	own := func() map[int]process { return tree(os.Getpid()) }
	for by, list := range map[string]func() map[int]process{"proc": all, "children": own, "ps": listed} {
		if _, err := exec.LookPath("ps"); by == "ps" && err != nil {
			continue
		}
		cmd := exec.Command("sh", "-c", `i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done; x=$(head -c 16000000 /dev/zero | tr '\0' x); echo ready; read line; echo "$x" >/dev/null`)
		in := must.Get(cmd.StdinPipe()).Or(t)
		out := must.Get(cmd.StdoutPipe()).Or(t)
		must.Do(t, cmd.Start())
		must.Get(bufio.NewReader(out).ReadString('\n')).Or(t)
		// 50,000 rounds take any processor more than 10 ms, ps's unit more than a second of work.
		got := usage(cmd.Process.Pid, list())
		if got.Memory < 16e6 || by != "ps" && got.CPU < 10*time.Millisecond {
			t.Errorf("%s: %+v, want 16 MB and some time of the processor", by, got)
		}
		if whole := usage(os.Getpid(), list()); whole.Memory <= got.Memory || whole.CPU < got.CPU {
			t.Errorf("%s: with this process %+v, without %+v", by, whole, got)
		}
		in.Close()
		cmd.Wait()
	}
}

// A tree has the grandchildren too, which any thread may have started, and nobody beside them: reading all
// processes of the machine took a sixth of what grading a submission does.
func TestTree(t *testing.T) {
	if _, err := os.Stat("/proc/thread-self/children"); err != nil {
		t.Skip(err)
	}
	cmd := exec.Command("sh", "-c", "sleep 1000 & (sleep 1000 & wait) & echo ready; wait")
	out := must.Get(cmd.StdoutPipe()).Or(t)
	must.Do(t, cmd.Start())
	defer cmd.Wait()
	defer Kill(cmd.Process.Pid)
	must.Get(bufio.NewReader(out).ReadString('\n')).Or(t)
	for len(below(cmd.Process.Pid, byParent(tree(cmd.Process.Pid)))) < 3 { // two that sleep, and the shell between
		time.Sleep(time.Millisecond)
	}
	all := tree(cmd.Process.Pid)
	if len(all) != 4 || all[cmd.Process.Pid].parent != os.Getpid() {
		t.Errorf("%v, want the shell and the three below it", all)
	}
}

func TestClock(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"00:00:07": 7 * time.Second, "01:02:03": 3723 * time.Second, "2-01:00:00": 49 * time.Hour, "3:04.50": 184500 * time.Millisecond,
	} {
		if got := clock(text); got.Round(time.Millisecond) != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
