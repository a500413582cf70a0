package atomicfile_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/testkit/must"
)

// names are the files in dir.
func names(t *testing.T, dir string) (list []string) {
	entries := must.Get(os.ReadDir(dir)).Or(t)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestWriteKeepsLinkPermissionsAndInode(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	must.Do(t, os.WriteFile(file, []byte("old"), 0o640))
	must.Do(t, os.Symlink("file", link))
	must.Do(t, atomicfile.Write(link, []byte("new")))
	if got, err := os.ReadFile(file); string(got) != "new" {
		t.Errorf("the file holds %q, %v; want %q", got, err, "new")
	}
	if target, err := os.Readlink(link); target != "file" {
		t.Errorf("the link points to %q, %v; want file", target, err)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("permissions %v, %v; want those of the old file, -rw-r-----", info.Mode(), err)
	}
	must.Do(t, atomicfile.Write(file, []byte("new")))
	if again, _ := os.Stat(file); !os.SameFile(info, again) {
		t.Error("a file that held the same bytes was replaced")
	}

	// A new file gets the permissions that the umask leaves any new file.
	must.Do(t, os.WriteFile(filepath.Join(dir, "plain"), nil, 0o666))
	must.Do(t, atomicfile.Write(filepath.Join(dir, "written"), nil))
	plain, _ := os.Stat(filepath.Join(dir, "plain"))
	if written, err := os.Stat(filepath.Join(dir, "written")); err != nil || written.Mode() != plain.Mode() {
		t.Errorf("a new file has permissions %v, %v; want %v", written.Mode(), err, plain.Mode())
	}
	if got, want := names(t, dir), []string{"file", "link", "plain", "written"}; !slices.Equal(got, want) {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
}

// Errors name the file that was to be written, not the temporary one.
func TestWriteSaysWhatFailed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "no", "such")
	err := atomicfile.Write(file, nil)
	if !errors.Is(err, fs.ErrNotExist) || err.Error() != "writing "+file+": no such file or directory" {
		t.Errorf("in a folder that is not there: %v", err)
	}
	// An error of another file keeps its name.
	other := filepath.Join(t.TempDir(), "other")
	err = atomicfile.Stream(filepath.Join(filepath.Dir(other), "file"), func(io.Writer) error {
		_, err := os.Open(other)
		return err
	})
	if err == nil || !strings.HasPrefix(err.Error(), "open "+other) {
		t.Errorf("what is to be written cannot be read: %v", err)
	}
	if os.Getuid() == 0 {
		return // root writes everywhere
	}
	dir := t.TempDir()
	must.Do(t, os.Chmod(dir, 0o500))
	if err := atomicfile.Write(filepath.Join(dir, "file"), nil); !errors.Is(err, fs.ErrPermission) || strings.Contains(err.Error(), ".file") {
		t.Errorf("in a folder that forbids it: %v", err)
	}
}

func TestErrorLeavesTheFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	must.Do(t, atomicfile.Write(file, []byte("old")))
	want := errors.New("half")
	err := atomicfile.Stream(file, func(w io.Writer) error {
		io.WriteString(w, "ne")
		return want
	})
	if got, _ := os.ReadFile(file); err != want || string(got) != "old" || len(names(t, dir)) != 1 {
		t.Errorf("error %v, the file holds %q, the folder %q", err, got, names(t, dir))
	}
}

// A program that is killed leaves the file as it was and a temporary one, which
// Clean finds. Files of nearly that name are the user's.
func TestClean(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "odd[name]*")
	must.Do(t, os.Mkdir(dir, 0o777))
	file := filepath.Join(dir, "a[1].ipynb")
	users := []string{".a[1].ipynb", ".a[1].ipynb1x", ".b.ipynb1"}
	for _, name := range users {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), nil, 0o666))
	}
	err := atomicfile.Stream(file, func(w io.Writer) error {
		if got := names(t, dir); len(got) != len(users)+1 {
			t.Errorf("while it writes, the folder holds %q", got)
		}
		atomicfile.Clean(file)
		if got := names(t, dir); !slices.Equal(got, users) {
			t.Errorf("after Clean the folder holds %q, want %q", got, users)
		}
		return nil
	})
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the temporary file was removed, yet the error is %v", err)
	}
}
