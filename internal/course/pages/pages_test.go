package pages

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/course/release"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// app is a small app of JupyterLite, in the archive that it returns.
func app(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, text := range map[string]string{
		"config-utils.js": "1", "index.html": "<html>", "jupyter-lite.json": `{"jupyter-config-data": {}}`, "build/lab/bundle.js": "2", "icon-120x120.png": "0",
		"lab/index.html": `<html><head><meta charset="utf-8"><script>run()</script>`,
	} {
		must.Do(t, w.WriteHeader(&tar.Header{Name: "package/" + name, Mode: 0o644, Size: int64(len(text))}))
		must.Get(w.Write([]byte(text))).Or(t)
	}
	must.Do(t, w.Close())
	must.Do(t, z.Close())
	file := filepath.Join(t.TempDir(), "app.tgz")
	testfile.Write(t, file, b.String())
	return file
}

// written are the files of a folder, by their slashed paths.
func written(t *testing.T, dir string) (all []release.File) {
	t.Helper()
	must.Do(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		all = append(all, release.File{Path: name, Data: data})
		return err
	}))
	return all
}

// The folder has the released files as students get them and nothing else of the course: no solution, no hidden test and no mark
// scheme, in no encoding that the search of releases knows.
func TestFolder(t *testing.T) {
	c := example(t, "[assignment.ps0]\ndue = 2027-03-01T23:59:00\nhand_in = \"https://example.org/hand;in?to=ps0\"\n")
	testfile.Write(t, filepath.Join(c.Dir, "source", "ps0", "data", "points.csv"), "1,2\n")
	testfile.Write(t, filepath.Join(c.Dir, "source", "ps1", "ps1.ipynb"), "another assignment")
	testfile.Write(t, filepath.Join(c.Dir, "roster.csv"), "id\nanna\n")
	a := must.Get(release.Make(c, "ps0")).Or(t)
	out, golang := filepath.Join(t.TempDir(), "public"), t.TempDir()
	testfile.Write(t, filepath.Join(golang, "tool.lzma"), "tool")
	m := must.Get(begin(out)).Or(t)
	for name, data := range must.Get(files(c, a, app(t))).Or(t) {
		must.Do(t, m.put(name, data))
	}
	must.Do(t, m.copy(golang, "go"))
	must.Do(t, m.Place())
	m.Remove()
	if left := must.Get(os.ReadDir(filepath.Dir(out))).Or(t); len(left) != 1 {
		t.Errorf("beside the folder stand %v", left)
	}

	got, all := map[string]string{}, written(t, out)
	for _, f := range all {
		got[f.Path] = string(f.Data)
	}
	contents := must.Get(a.Contents()).Or(t)
	for name, data := range contents {
		if got["lab/files/"+name] != string(data) {
			t.Errorf("lab/files/%s is not what is released", name)
		}
	}
	var of []string
	for name := range got {
		if strings.HasPrefix(name, "lab/files/") {
			of = append(of, strings.TrimPrefix(name, "lab/files/"))
		}
	}
	slices.Sort(of)
	if want := []string{"data/points.csv", "ps0.ipynb"}; !slices.Equal(of, want) || !slices.Equal(of, slices.Sorted(maps.Keys(contents))) {
		t.Errorf("students get %q, want %q", of, want)
	}
	for _, name := range []string{"go/tool.lzma", "index.html", mark, ".nojekyll", "lab/extensions/marginalia-assignment/static/handin.js", "lab/extensions/marginalia-kernel/static/kernel.js"} {
		if _, ok := got[name]; !ok {
			t.Errorf("there is no %s", name)
		}
	}
	if page := got["index.html"]; !strings.Contains(page, `<a class="open" href="lab/lab/index.html?path=ps0.ipynb">`) || !strings.Contains(page, "<h1>Problem set 0: the mean</h1>") ||
		!strings.Contains(page, `<time datetime="2027-03-01T23:59:00Z">Monday, 1 March 2027, 23:59 (UTC)</time>`) || !strings.Contains(page, "sends it to example.org") {
		t.Errorf("the page is\n%s", page)
	}
	// Of the address the policy has the path alone: RFC of CSP 3, section 6.7.2.12, compares no queries.
	if page := got["lab/lab/index.html"]; !strings.Contains(page, "; connect-src &#39;self&#39; https://example.org/hand%3Bin\"") {
		t.Errorf("the policy of the lab is in\n%s", page)
	}

	probe := &release.Handout{Name: a.Name, Files: all}
	removed := 0
	for _, nb := range a.Notebooks {
		probe.Notebooks = append(probe.Notebooks, release.Notebook{Name: nb.Name, Removed: nb.Removed, Release: &nbformat.Notebook{}})
		removed += len(nb.Removed)
	}
	if leaks, unsearched := probe.Leaks(nil); len(leaks) > 0 || len(unsearched) > 0 || removed < 3 {
		t.Errorf("the folder leaks %v, %v were not searched, %d parts were removed", leaks, unsearched, removed)
	}
	var packed bytes.Buffer // the search would find it
	z := gzip.NewWriter(&packed)
	must.Get(z.Write([]byte(a.Notebooks[0].Removed[0].Text))).Or(t)
	must.Do(t, z.Close())
	probe.Files = append(probe.Files, release.File{Path: "go/leak.gz", Data: packed.Bytes()})
	if leaks, _ := probe.Leaks(nil); len(leaks) == 0 {
		t.Error("the search does not find what was removed")
	}
}

// The packages are those of all cells that students get, tests included. What the lecturer's own code imports is none.
func TestImported(t *testing.T) {
	a := must.Get(release.Make(example(t, ""), "ps0")).Or(t)
	if got, want := imported(a), []string{"errors", "testing"}; !slices.Equal(got, want) {
		t.Errorf("the cells import %q, want %q", got, want)
	}
}

// A folder is replaced only if it is of the same assignment, and each error says what to do.
func TestCheck(t *testing.T) {
	c := example(t, "")
	dir := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(dir, "empty"), 0o755))
	testfile.Write(t, filepath.Join(dir, "file"), "")
	testfile.Write(t, filepath.Join(dir, "other", "index.html"), "mine")
	testfile.Write(t, filepath.Join(dir, "ps0", mark), "ml ps0\n")
	testfile.Write(t, filepath.Join(dir, "ps1", mark), "ml ps1\n")
	for name, want := range map[string]string{
		"new": "", "empty": "", "ps0": "", "file": "is not a folder: name another with --pages", "ps1": "has the pages of ml ps1",
		"other": "has files that course release has not written: name a new or empty folder with --pages",
	} {
		err := Check(c, "ps0", filepath.Join(dir, name))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: the error is %v, want %q", name, err, want)
		}
	}
	if _, err := begin(filepath.Join(dir, "file", "below")); err == nil {
		t.Error("pages can be written below a file")
	}
}
