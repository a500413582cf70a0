package built

import (
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/testkit/owncache"
	"marginalia/internal/testkit/testfile"
)

// A cell finds nothing in its folder for temporary files, so that GoNB's cache,
// which lives there, cannot give it what an older mlkit computed.
//
// Its notebook is built with one that is refused, and is named twice.
func TestTemporaryFilesAreTheCellsOwn(t *testing.T) {
	owncache.Use(t)
	root := repotest.Root(t)
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	testfile.Write(t, filepath.Join(tmp, "gonb_cache", "left.bin"), "by an earlier run")
	file := filepath.Join(t.TempDir(), "count.ipynb")
	testfile.Write(t, file, `{"cells": [{"cell_type": "code", "execution_count": 1, "id": "count", "metadata": {}, "outputs": [],
"source": "import (\n\"flag\"\n\"fmt\"\n\"os\"\n\"path/filepath\"\n)\n%%\nleft, _ := filepath.Glob(filepath.Join(os.TempDir(), \"gonb_cache*\"))\nfmt.Println(len(left))"}],
"metadata": {"kernelspec": {"display_name": "Go (gonb)", "language": "go", "name": "gonb"}}, "nbformat": 4, "nbformat_minor": 5}`)
	refused := filepath.Join(t.TempDir(), "refused.ipynb")
	testfile.Write(t, refused, strings.Replace(small("3", ""), `"language": "go"`, `"language": "python"`, 1))
	builds, errs := Notebooks(t.Context(), []string{file, refused, file}, root)
	if builds[1] != nil || errs[1] == nil || !strings.Contains(errs[1].Error(), "want Go") {
		t.Errorf("of the notebook that is refused: %v, %v; want that the language is not go", builds[1], errs[1])
	}
	for _, i := range []int{0, 2} {
		if errs[i] != nil {
			t.Fatal(errs[i])
		}
		defer builds[i].Close()
		prints := ""
		for _, o := range builds[i].Run(t.Context(), "count").Outputs {
			prints += o.Text
		}
		if prints != "0\n" {
			t.Errorf("the cell finds %q caches, want 0", prints)
		}
	}
}
