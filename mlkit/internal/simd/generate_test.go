package simd

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"marginalia/mlkit/internal/testkit"
)

// The checked-in assembly is what the generator writes. The generator is a module of
// its own, fetched and compiled only for this test.
func TestGenerated(t *testing.T) {
	testkit.Long(t)
	root := t.TempDir()
	if err := os.CopyFS(filepath.Join(root, "gen"), os.DirFS("gen")); err != nil {
		t.Fatal(err)
	}
	download := exec.Command("go", "-C", "gen", "mod", "download")
	download.Dir = root
	if out, err := download.CombinedOutput(); err != nil {
		t.Fatalf("go mod download: %v\n%s", err, out)
	}
	// Run the commands of go generate: avo quotes its own in the first line of each file.
	for _, args := range [][]string{
		{".", "-out", "../zkernels_amd64.s", "-stubs", "../zkernels_amd64.go", "-pkg", "simd"},
		{"./neon", "-out", "../zkernels_arm64.s", "-stubs", "../zkernels_arm64.go"},
	} {
		run := exec.Command("go", append([]string{"-C", "gen", "run"}, args...)...)
		run.Dir = root
		run.Env = append(os.Environ(), "GOARCH=") // the generator runs on this machine, whatever GOARCH the tests have
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("the generator %s: %v\n%s", args[0], err, out)
		}
	}
	for _, name := range []string{"zkernels_amd64.s", "zkernels_amd64.go", "zkernels_arm64.s", "zkernels_arm64.go"} {
		want := testkit.Try(os.ReadFile(filepath.Join(root, name))).Or(t)
		got := testkit.Try(os.ReadFile(name)).Or(t)
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator writes: run go generate", name)
		}
	}
}
