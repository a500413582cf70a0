//go:build unix

// Package jupytertest helps tests that start kernels: it says how to start the
// pinned one, and finds processes that should be gone.
//
//	func TestMain(m *testing.M) {
//		jupyter.KeeperMain()
//		os.Exit(m.Run())
//	}
//
//	func TestNothingLeft(t *testing.T) {
//		spec := jupytertest.Spec(t)
//		marker := jupytertest.Marker()
//		spec.Env = append(spec.Env, marker)
//		…
//		jupytertest.AwaitNoStrays(t, marker)
//	}
package jupytertest

import (
	"bytes"
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"marginalia/internal/base/repo"
	"marginalia/internal/kernel"
	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/testkit/tier"
)

// Kernel returns how to start the pinned GoNB kernel, and builds it if need be.
var Kernel = sync.OnceValues(func() (jupyter.Spec, error) {
	root, err := repo.Root()
	if err != nil {
		return jupyter.Spec{}, err
	}
	return kernel.Spec(context.Background(), root, nil)
})

// Spec returns how to start the pinned GoNB kernel, in a temporary folder of
// the test. The test is skipped unless the tier kernel is asked for.
func Spec(t testing.TB) jupyter.Spec {
	t.Helper()
	tier.Kernel(t)
	spec, err := Kernel()
	if err != nil {
		t.Fatal(err)
	}
	spec.Env = append([]string(nil), spec.Env...)
	spec.Dir = t.TempDir()
	return spec
}

// Marker returns a new environment variable, by which Strays knows processes.
func Marker() string { return "MARGINALIA_TEST_MARKER=" + rand.Text() }

// Strays returns the processes that have the marker in their environment, as
// "pid command line". Without /proc there are none to see.
func Strays(marker string) []string {
	var found []string
	names, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range names {
		if env, err := os.ReadFile(name); err == nil && bytes.Contains(env, []byte(marker)) {
			dir := filepath.Dir(name)
			cmdline, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
			found = append(found, filepath.Base(dir)+" "+strings.ReplaceAll(string(cmdline), "\x00", " "))
		}
	}
	return found
}

// AwaitNoStrays waits until Strays finds none. The test fails after ten minutes.
func AwaitNoStrays(t testing.TB, marker string) {
	t.Helper()
	Await(t, "all processes are gone", func() bool { return len(Strays(marker)) == 0 })
}

// Await waits until done. The test fails after ten minutes.
func Await(t testing.TB, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Minute); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited ten minutes until %s", what)
		}
	}
}
