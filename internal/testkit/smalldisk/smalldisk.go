// Package smalldisk lets tests run programs on a disk that is nearly full.
package smalldisk

import (
	"os/exec"
	"strconv"
	"testing"

	"marginalia/internal/testkit/tier"
)

// Command returns a command that runs a program for which the folder dir is a disk of the
// given size. The disk is empty at first and vanishes with the program. It needs Linux's user
// namespaces and no other rights; without them the test is skipped, or fails if long tests are asked for.
func Command(t testing.TB, dir string, bytes int64, program string, args ...string) *exec.Cmd {
	t.Helper()
	if out, err := exec.Command("unshare", "--map-root-user", "--mount", "true").CombinedOutput(); err != nil {
		report := t.Skipf
		if tier.IsLong(t) {
			report = t.Fatalf
		}
		report("no disk of a chosen size: it needs Linux's user namespaces, and unshare says %s (%v)", out, err)
	}
	const mount = `mount -t tmpfs -o size="$0" tmpfs "$1" && shift && exec "$@"`
	return exec.Command("unshare", append([]string{"--map-root-user", "--mount", "sh", "-c", mount, strconv.FormatInt(bytes, 10), dir, program}, args...)...)
}
