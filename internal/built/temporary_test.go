package built

import (
	"path/filepath"
	"testing"

	"marginalia/internal/owncache"
)

// A cell finds nothing in its folder for temporary files, so that GoNB's cache,
// which lives there, cannot give it what an older mlkit computed.
func TestTemporaryFilesAreTheCellsOwn(t *testing.T) {
	owncache.Use(t)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	write(t, filepath.Join(tmp, "gonb_cache", "left.bin"), "by an earlier run")
	file := filepath.Join(t.TempDir(), "count.ipynb")
	write(t, file, `{"cells": [{"cell_type": "code", "execution_count": 1, "id": "count", "metadata": {}, "outputs": [],
"source": "import (\n\"flag\"\n\"fmt\"\n\"os\"\n\"path/filepath\"\n)\n%%\nleft, _ := filepath.Glob(filepath.Join(os.TempDir(), \"gonb_cache*\"))\nfmt.Println(len(left))"}],
"metadata": {"kernelspec": {"display_name": "Go (gonb)", "language": "go", "name": "gonb"}}, "nbformat": 4, "nbformat_minor": 5}`)
	b, err := Notebook(t.Context(), file, root)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	prints := ""
	for _, o := range b.Run(t.Context(), "count").Outputs {
		prints += o.Text
	}
	if prints != "0\n" {
		t.Errorf("the cell finds %q caches, want 0", prints)
	}
}
