package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// When `marginalia test` is killed, the cells it runs end too.
func TestTestKilled(t *testing.T) {
	pidFile := filepath.Join(t.TempDir(), "pid")
	file := notebookOf(t, [3]string{"endless", "%%\nos.WriteFile(" + strconv.Quote(pidFile+".new") + ", []byte(strconv.Itoa(os.Getpid())), 0o600)\n" +
		"os.Rename(" + strconv.Quote(pidFile+".new") + ", " + strconv.Quote(pidFile) + ")\nfor {\n\ttime.Sleep(time.Hour)\n}", ""})
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "test", file)
	cmd.Env = append(os.Environ(), mainEnv+"=1", "TMPDIR="+t.TempDir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	awaitFile(t, pidFile)
	text, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	alive := func() bool {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		return err == nil && !strings.Contains(string(stat), ") Z ")
	}
	for deadline := time.Now().Add(30 * time.Second); alive(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			syscall.Kill(pid, syscall.SIGKILL)
			t.Fatalf("the cell's program %d is still running", pid)
		}
	}
}
