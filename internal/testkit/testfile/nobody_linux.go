package testfile

import (
	"os"
	"runtime"
	"syscall"
	"testing"
)

// Nobody lets the test go on as a user who may write nowhere, if it is root's; dir can be entered then.
// Programs that the test starts are still root's. It reports whether that was needed.
func Nobody(t testing.TB, dir string) bool {
	t.Helper()
	if os.Getuid() != 0 {
		return false
	}
	err := os.Chmod(dir, 0o755)
	runtime.LockOSThread() // whose user it is
	if err == nil {
		err = syscall.Setfsuid(65534)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Setfsuid(0)
		runtime.UnlockOSThread()
	})
	return true
}
