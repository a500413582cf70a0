package live

import (
	"bytes"
	"compress/flate"
	"io"
	"os"
	"path/filepath"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// Each build has temporary folders of its own, and a program must not know them: a site that is published
// again then has the same programs, and says nothing of the computer that it was made on.
func TestBuildsAreTheSame(t *testing.T) {
	tier.Long(t)
	root := repotest.Root(t)
	var programs [2][]byte
	for i := range programs {
		file := filepath.Join(t.TempDir(), "play.wasmz")
		must.Do(t, buildWASM(t.Context(), root, root, programPackage, file))
		packed := must.Get(os.ReadFile(file)).Or(t)
		programs[i] = must.Get(io.ReadAll(flate.NewReader(bytes.NewReader(packed)))).Or(t)
	}
	if !bytes.Equal(programs[0], programs[1]) {
		t.Error("a second build makes another program")
	}
	for _, dir := range []string{root, os.TempDir() + string(filepath.Separator)} {
		if at := bytes.Index(programs[0], []byte(dir)); at >= 0 {
			t.Errorf("the program names %q", programs[0][max(0, at-40):at+len(dir)])
		}
	}
}
