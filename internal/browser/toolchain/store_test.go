package toolchain

import (
	"os"
	"path/filepath"
	"testing"

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// What another site of the user has packed is not packed again: it is the same file, and stays when the other forgets it.
func TestStoreShares(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home) // on macOS the cache is below it
	t.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
	cache := filepath.Join(must.Get(os.UserCacheDir()).Or(t), "marginalia")
	other, own := filepath.Join(cache, "site-1", "go"), filepath.Join(cache, "site-2", "go")
	name := nameOfContent([]byte("content"))
	testfile.Write(t, filepath.Join(other, name), "packed")
	must.Do(t, os.MkdirAll(own, 0o755))
	s := must.Get(newStore(own, t.TempDir())).Or(t)
	for content, packs := range map[string]bool{"content": false, "new": true} {
		s.wanted.Reset()
		must.Get(s.add([]byte(content))).Or(t)
		if got := s.wanted.Len() > 0; got != packs {
			t.Errorf("%s has to be packed: %v", content, got)
		}
	}
	must.Do(t, os.RemoveAll(other))
	if got := testfile.Read(t, filepath.Join(own, name)); got != "packed" {
		t.Errorf("the file has %q", got)
	}
}
