package site

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/base/mnistfiles"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// Cells may read the files that strings name: by paths, folders and patterns. What the site leaves out is none of them,
// nor are notebooks, and words that are also names of folders name none.
func TestNamed(t *testing.T) {
	dir := lecturers(t)
	for _, name := range []string{"data/a/1.csv", "data/a/2.csv", "data/a/.hidden", "data/a/deep/3.txt", "data/a/n.ipynb", "data/p-1.txt", "data/p-2.txt", "data/p.json", "words/w.txt", "notebooks/b.csv"} {
		testfile.Write(t, filepath.Join(dir, filepath.FromSlash(name)), "1")
	}
	testfile.Write(t, filepath.Join(filepath.Dir(dir), "secret.csv"), "1")
	must.Do(t, os.Symlink(filepath.Join(dir, "source"), filepath.Join(dir, "data", "link")))
	b := bookOfCourse(t, dir)
	for name, want := range map[string][]string{
		"../data/points.csv": {"data/points.csv"}, "../data/a": {"data/a/1.csv", "data/a/2.csv", "data/a/deep/3.txt"}, "../data/a/": {"data/a/1.csv", "data/a/2.csv", "data/a/deep/3.txt"},
		"../data/p-%d.txt": {"data/p-1.txt", "data/p-2.txt"}, "../data/a/*.csv": {"data/a/1.csv", "data/a/2.csv"}, "%s.csv": {"notebooks/b.csv"},
		"..": nil, "../": nil, ".": nil, "../notebooks": nil, "../source": nil, "../../": nil, "../../secret.csv": nil, "../../*.csv": nil, "../words": {"words/w.txt"}, "words": nil, "02-slack.ipynb": nil, "*.ipynb": nil,
		"../data/link/ps0": nil, "../data/link/ps0/ps0.ipynb": nil, "%.3f": nil, "*": nil, "[": nil, "[*.csv": nil,
	} {
		if got := b.named(notebookOf(fmt.Sprintf("f(%q)", name)), b.at("notebooks")); !slices.Equal(got, want) {
			t.Errorf("%q names %q, want %q", name, got, want)
		}
	}
}

// The files have a bound together. The largest are left out, and the build says so.
func TestReadable(t *testing.T) {
	dir := lecturers(t)
	for name, size := range map[string]int64{"small": 1 << 20, "large": 20 << 20, "larger": 20<<20 + 1} {
		file := filepath.Join(dir, "data", name+".bin")
		testfile.Write(t, file, "")
		must.Do(t, os.Truncate(file, size))
	}
	testfile.Write(t, filepath.Join(dir, "notebooks", "03.ipynb"), string(must.Get(notebookOf(`f("../data/%s.bin")`).Encode()).Or(t)))
	b := bookOfCourse(t, dir)
	must.Do(t, b.findReadable())
	if want := []string{"data/large.bin", "data/points.csv", "data/small.bin"}; !slices.Equal(b.readable, want) {
		t.Errorf("cells may read %q, want %q", b.readable, want)
	}
	if len(b.faults) != 1 || !strings.HasPrefix(b.faults[0].Error(), "data/larger.bin: cells in pages can't read it: it has 21.0 MB") {
		t.Errorf("faults %v", b.faults)
	}
}

// The site has MNIST if MARGINALIA_DATA names a folder that has all of it, whole.
func TestPackMNIST(t *testing.T) {
	all, data, dir := mnistfiles.Files, t.TempDir(), filepath.Join(t.TempDir(), "mnist")
	t.Cleanup(func() { mnistfiles.Files = all })
	mnistfiles.Files = nil
	for _, name := range []string{"images", "labels"} {
		sum := sha256.Sum256([]byte(name))
		mnistfiles.Files = append(mnistfiles.Files, mnistfiles.File{Name: name, Size: int64(len(name)), Sum: hex.EncodeToString(sum[:])})
	}
	t.Setenv("MARGINALIA_DATA", data)
	testfile.Write(t, filepath.Join(data, "mnist", "images"), "images")
	if given, err := packMNIST(dir); err != nil || given != nil {
		t.Errorf("of half of it the site has %v, %v", given, err)
	}
	testfile.Write(t, filepath.Join(data, "labels"), "labels")
	for range 2 { // the second time they are there
		given := must.Get(packMNIST(dir)).Or(t)
		if len(given) != 2 || given[0].Path != "/home/.cache/marginalia/mnist/images" || given[0].Size != 6 || !given[0].Packed {
			t.Fatalf("the site has %+v", given)
		}
		packed := must.Get(os.ReadFile(filepath.Join(filepath.Dir(dir), filepath.FromSlash(given[0].URL)))).Or(t)
		if text := must.Get(io.ReadAll(must.Get(gzip.NewReader(bytes.NewReader(packed))).Or(t))).Or(t); string(text) != "images" {
			t.Errorf("the file has %q", text)
		}
	}
	t.Setenv("MARGINALIA_DATA", "")
	if given, err := packMNIST(dir); err != nil || given != nil {
		t.Errorf("without MARGINALIA_DATA the site has %v, %v", given, err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("MNIST of an older site is left")
	}
	t.Setenv("MARGINALIA_DATA", data)
	testfile.Write(t, filepath.Join(data, "labels"), "damage")
	if _, err := packMNIST(dir); err == nil || !strings.Contains(err.Error(), "the file is damaged or another data set") {
		t.Errorf("of a damaged file the error is %v", err)
	}
}
