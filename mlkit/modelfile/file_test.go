package modelfile_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/modelfile"
	"marginalia/mlkit/svm"
	"marginalia/mlkit/unit"
)

// others lists the files of a folder besides the named one.
func others(t *testing.T, name string) (list []string) {
	t.Helper()
	entries := testkit.Try(os.ReadDir(filepath.Dir(name))).Or(t)
	for _, e := range entries {
		if e.Name() != filepath.Base(name) {
			list = append(list, e.Name())
		}
	}
	return list
}

// A file has the bytes that Write writes, and nothing is left beside it.
func TestSaveAndLoad(t *testing.T) {
	name := filepath.Join(t.TempDir(), "and.model")
	notes := modelfile.Notes{"data": "truth table"}
	for range 2 {
		if err := modelfile.Save(name, and, notes); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, written(t, and, notes)) || len(others(t, name)) > 0 {
		t.Errorf("the file has %q, %v; beside it are %v", got, err, others(t, name))
	}
	m, err := modelfile.Load[*unit.Threshold](name)
	if err != nil || !reflect.DeepEqual(m, and) {
		t.Errorf("%v, %v, want %v", m, err, and)
	}
	one, err := modelfile.LoadOneOf[any](name, feature.Polar{}, unit.Threshold{})
	if err != nil || !reflect.DeepEqual(one, *and) {
		t.Errorf("one of two: %v, %v, want %v", one, err, *and)
	}
	h, err := modelfile.LoadHeader(name)
	if err != nil || h.Kind != "unit.Threshold" || !reflect.DeepEqual(h.Notes, notes) {
		t.Errorf("the header is %v, %v", h, err)
	}
}

// A model that can't be saved leaves the old file alone.
func TestSaveKeepsOldFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "and.model")
	if err := modelfile.Save(name, and, nil); err != nil {
		t.Fatal(err)
	}
	for _, m := range []any{nil, nameless{}, svm.Model{}} {
		if err := modelfile.Save(name, m, nil); err == nil || !strings.HasPrefix(err.Error(), "modelfile: "+name+": ") {
			t.Errorf("%T: %v", m, err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, written(t, and, nil)) || len(others(t, name)) > 0 {
		t.Errorf("the file has %q, %v; beside it are %v", got, err, others(t, name))
	}
}

// A new file has the permissions of any new file, an old one keeps its own, and a symbolic link
// goes on pointing to it.
func TestSaveKeepsLinkAndPermissions(t *testing.T) {
	dir := t.TempDir()
	file, link, usual := filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "usual")
	if err := errors.Join(os.WriteFile(usual, nil, 0o666), modelfile.Save(file, and, nil)); err != nil {
		t.Fatal(err)
	}
	mode := func(name string) fs.FileMode {
		info := testkit.Try(os.Stat(name)).Or(t)
		return info.Mode()
	}
	if got, want := mode(file), mode(usual); got != want {
		t.Errorf("a new file has %v, want %v", got, want)
	}
	if err := errors.Join(os.Chmod(file, 0o640), os.Symlink("file", link), modelfile.Save(link, feature.Polar{}, nil)); err != nil {
		t.Fatal(err)
	}
	if target, err := os.Readlink(link); err != nil || target != "file" {
		t.Errorf("the link points to %q, %v, want file", target, err)
	}
	if h, err := modelfile.LoadHeader(file); err != nil || h.Kind != "feature.Polar" || mode(file) != 0o640 {
		t.Errorf("the file has %v, %v and permissions %v, want a feature.Polar and 0640", h, err, mode(file))
	}
}

// Of many programs that save at the same time, one after the other has its file there, whole.
func TestSaveAtTheSameTime(t *testing.T) {
	name := filepath.Join(t.TempDir(), "and.model")
	if err := modelfile.Save(name, and, nil); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 5 {
				if err := modelfile.Save(name, and, nil); err != nil {
					t.Error(err)
				}
				if _, err := modelfile.Load[*unit.Threshold](name); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if list := others(t, name); len(list) > 0 {
		t.Errorf("%v are left", list)
	}
}

// Errors name the file that the caller named, once, and say what is wrong with it.
func TestFileErrors(t *testing.T) {
	dir := t.TempDir()
	missing, within := filepath.Join(dir, "missing"), filepath.Join(dir, "no", "folder")
	_, err1 := modelfile.Load[*svm.Model](missing)
	_, err2 := modelfile.LoadHeader(missing)
	err3 := modelfile.Save(within, and, nil)
	for _, err := range []error{err1, err2, err3} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v, want %v", err, fs.ErrNotExist)
		}
	}
	damaged := filepath.Join(dir, "damaged")
	if err := os.WriteFile(damaged, written(t, and, nil)[:100], 0o666); err != nil {
		t.Fatal(err)
	}
	_, err4 := modelfile.Load[*unit.Threshold](damaged)
	_, err5 := modelfile.LoadOneOf[any](damaged, unit.Threshold{})
	_, err6 := modelfile.Load[*svm.Model](dir)
	err7 := modelfile.Save(dir, and, nil)
	for _, c := range []struct {
		err  error
		want string
	}{
		{err1, missing + ": no such file or directory"},
		{err2, missing + ": no such file or directory"},
		{err3, within + ": no such file or directory"},
		{err4, damaged + ": truncated: it ends in line 3, before the model; get a whole copy"},
		{err5, damaged + ": truncated: it ends in line 3, before the model; get a whole copy"},
		{err6, dir + ": is a directory"},
		{err7, dir + ": it is no regular file (drwx"},
	} {
		if c.err == nil || !strings.HasPrefix(c.err.Error(), "modelfile: "+c.want) {
			t.Errorf("%v, want %s", c.err, c.want)
		}
	}
}
