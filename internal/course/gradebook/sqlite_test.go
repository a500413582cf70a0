package gradebook

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"marginalia/internal/testkit/must"
)

// SQLite as machine code is kept for the next process. If that does not work, a book opens
// all the same.
func TestCached(t *testing.T) {
	created(t) // compiles, or finds it in the user's cache
	user, err := os.UserCacheDir()
	if err != nil {
		t.Skip(err)
	}
	kept, err := filepath.Glob(filepath.Join(user, "marginalia", "sqlite-"+compiler, "*", "*[0-9a-f]"))
	if err != nil || len(kept) == 0 {
		t.Fatalf("the cache has %v, %v; want a file", kept, err)
	}
	dir := t.TempDir()
	for i, path := range kept {
		code := must.Get(os.ReadFile(path)).Or(t)
		kept[i] = filepath.Join(dir, filepath.Base(filepath.Dir(path)), filepath.Base(path))
		must.Do(t, os.MkdirAll(filepath.Dir(kept[i]), 0o777))
		must.Do(t, os.WriteFile(kept[i], code, 0o666))
	}
	config := sqlite3.RuntimeConfig.WithCompilationCache(nil)
	if cached(config, dir) == config {
		t.Error("the cache of another process is of no use")
	}
	for _, path := range kept {
		must.Do(t, os.Truncate(path, 100_000))
	}
	if cached(config, dir) != config {
		t.Error("uses a damaged cache")
	}
	if cached(config, kept[0]) != config {
		t.Error("uses a file as the folder of the cache")
	}
}

// What another wazero compiled is another folder's.
func TestCompiler(t *testing.T) {
	mod := must.Get(os.ReadFile("../../../go.mod")).Or(t)
	if want := strings.Replace(compiler, "wazero-", "github.com/tetratelabs/wazero ", 1); !strings.Contains(string(mod), want+"\n") {
		t.Errorf("go.mod has no line with %q: the constant compiler wants its version", want)
	}
}
