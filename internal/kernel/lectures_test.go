package kernel

import (
	"bytes"
	"path/filepath"
	"testing"
	"time"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/base/setup/setuptest"
	"marginalia/internal/kernel/execute"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// The kernel shows what the lectures have stored, whether it builds their cells ahead or leaves them
// to the go command, which takes more than twice as long: that is tried with one.
func TestLectures(t *testing.T) {
	tier.Kernel(t)
	tier.Long(t)
	root := repotest.Root(t)
	spec := must.Get(Spec(t.Context(), root, setuptest.Steps(new([]string)))).Or(t)
	files := must.Get(filepath.Glob(filepath.Join(root, "notebooks", "*.ipynb"))).Or(t)
	if len(files) < 2 {
		t.Fatal("no lectures")
	}
	for _, builder := range builders {
		spec := spec
		spec.Env = append(spec.Env[:len(spec.Env):len(spec.Env)], "MARGINALIA_BUILDER="+builder)
		if builder == "off" {
			files = files[1:2]
		}
		for _, file := range files {
			t.Run(builder+"/"+filepath.Base(file), func(t *testing.T) {
				var said bytes.Buffer
				r := must.Get(execute.Read(file, execute.Options{Timeout: time.Hour, Check: true}, &said)).Or(t)
				if ok, err := r.Run(t.Context(), spec); err != nil || !ok {
					t.Errorf("%v\n%s", err, &said)
				}
			})
		}
	}
}
