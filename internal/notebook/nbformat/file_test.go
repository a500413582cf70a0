package nbformat_test

import (
	"os"
	"path/filepath"
	"testing"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbformat/nbtest"
	"marginalia/internal/testkit/must"
)

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "a[1].ipynb"), filepath.Join(dir, "link.ipynb")
	nb := &nbformat.Notebook{Cells: []*nbformat.Cell{{ID: "a", Type: "raw", Source: "x"}}}
	must.Do(t, os.WriteFile(name, []byte("old"), 0o640))
	must.Do(t, os.Symlink(name, link))
	nbtest.Write(t, nb, link)
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the symbolic link became %v, %v", info.Mode(), err)
	}
	info, err := os.Stat(name)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v; want that of the old file, -rw-r-----", info.Mode(), err)
	}
	want, _ := nb.Encode()
	if got, _ := os.ReadFile(name); string(got) != string(want) {
		t.Errorf("file holds %q", got)
	}
	// Written again unchanged, the file is not touched: it is the same inode.
	nbtest.Write(t, nb, name)
	if again, _ := os.Stat(name); !os.SameFile(info, again) {
		t.Error("a file that held the same bytes was replaced")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("temporary files left: %q", left)
	}

	if err := nb.WriteFile(filepath.Join(dir, "no", "such.ipynb")); err == nil {
		t.Error("no error for a folder that does not exist")
	}
	nb.Cells[0].ID = ""
	if err := nb.WriteFile(name); err == nil {
		t.Error("no error for a cell without id")
	}
	if got, _ := os.ReadFile(name); string(got) != string(want) {
		t.Errorf("after an error the file holds %q", got)
	}
}
