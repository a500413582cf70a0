package nbgrader

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"marginalia/internal/course/formgrade"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbformat/nbtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// peer has nbgrader upgrade, check and sum the notebooks that it is named.
const peer = `
import json, logging, sys, nbformat
from nbgrader import nbgraderformat, utils
logging.disable(logging.CRITICAL)
answers = []
for name in json.load(sys.stdin):
    nb = nbformat.read(name, as_version=4)
    a = {"Meta": [], "Sums": []}
    answers.append(a)
    v = nbgraderformat.MetadataValidator()
    try:
        v.upgrade_notebook_metadata(nb)
        a["Meta"] = [c.metadata.get("nbgrader") for c in nb.cells]
        v.validate_nb(nb)
    except Exception as e:
        a["Fault"] = type(e).__name__ + ": " + str(e).split("\n")[0]
        continue
    for c in nb.cells:
        counts = utils.is_grade(c) or utils.is_solution(c) or utils.is_locked(c)
        a["Sums"].append(utils.compute_checksum(c) if counts else "")
json.dump(answers, sys.stdout)
`

// Every notebook of nbgrader's manual and tests, and 200 of our own with points of all
// sizes, get from us what they get from nbgrader: metadata, verdict and checksums.
func TestAsNbgrader(t *testing.T) {
	tier.Peer(t)
	python := must.Get(formgrade.Nbgrader().Python(t.Context(), nil)).Or(t)
	folder, err := exec.Command(python, "-c", "from importlib.util import find_spec; print(find_spec('nbgrader').submodule_search_locations[0])").Output()
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	filepath.WalkDir(strings.TrimSpace(string(folder)), func(path string, _ os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".ipynb") {
			files = append(files, path)
		}
		return nil
	})
	if len(files) < 60 { // nbgrader 0.9.6 ships 79
		t.Errorf("nbgrader ships %d notebooks, want at least 60", len(files))
	}
	files = append(files, written(t)...)

	names, _ := json.Marshal(files)
	cmd := exec.Command(python, "-c", peer)
	cmd.Stdin, cmd.Stderr = strings.NewReader(string(names)), os.Stderr
	out := must.Get(cmd.Output()).Or(t)
	var theirs []struct {
		Meta  []any
		Sums  []string
		Fault string
	}
	must.Do(t, json.Unmarshal(out, &theirs))
	sums := 0
	for i, file := range files {
		nb, err := nbformat.Read(file)
		if err != nil {
			continue // two cells of one id: nbformat's own tests have that
		}
		if err = Upgrade(nb); err == nil {
			err = Validate(nb)
		}
		if (err == nil) != (theirs[i].Fault == "") {
			t.Errorf("%s: %v, nbgrader says %q", file, err, theirs[i].Fault)
		}
		if err != nil || theirs[i].Fault != "" {
			continue
		}
		for j, c := range nb.Cells {
			var meta any
			text, _ := json.Marshal(c.Metadata["nbgrader"])
			if json.Unmarshal(text, &meta); !reflect.DeepEqual(meta, theirs[i].Meta[j]) {
				t.Errorf("%s, cell %d: metadata\n%v, nbgrader has\n%v", file, j+1, meta, theirs[i].Meta[j])
			}
			m, _ := Read(c)
			sum := ""
			if m.Solution || m.ReadOnly() {
				sum = Checksum(c, m)
				sums++
			}
			if sum != theirs[i].Sums[j] {
				t.Errorf("%s, cell %d: checksum %q, nbgrader has %q", file, j+1, sum, theirs[i].Sums[j])
			}
		}
	}
	if sums < 1000 {
		t.Errorf("%d checksums were compared, want at least 1000", sums)
	}
}

// written makes notebooks of ten cells each, of all kinds, with hard numbers as points.
func written(t *testing.T) []string {
	r := rand.New(rand.NewPCG(15, 1))
	dir := t.TempDir()
	var files []string
	for n := range 200 {
		nb := &nbformat.Notebook{}
		for i := range 10 {
			m := Meta{ID: fmt.Sprintf("q-%d_%d", n, i), Grade: r.IntN(2) == 0, Solution: r.IntN(2) == 0, Locked: r.IntN(2) == 0}
			c := &nbformat.Cell{ID: fmt.Sprint(i), Type: "code", Source: []string{"", "é\r\n\u2028x", "a\tb\n\n", "\U0001d538"}[r.IntN(4)]}
			if m.Grade && m.Solution && r.IntN(2) == 0 {
				c.Type = "markdown"
			}
			switch m.Points = r.Float64() * []float64{1e-7, 1e-4, 1, 1e3, 1e16, 1e300}[r.IntN(6)]; r.IntN(3) {
			case 0:
				m.Points = float64(r.IntN(20)) / 4
			case 1:
				m.Points = float64(r.IntN(1000)) / 100
			}
			Write(c, m)
			nb.Cells = append(nb.Cells, c)
		}
		files = append(files, filepath.Join(dir, fmt.Sprintf("%d.ipynb", n)))
		nbtest.Write(t, nb, files[n])
	}
	return files
}
