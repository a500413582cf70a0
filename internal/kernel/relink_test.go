package kernel

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marginalia/internal/base/processes"
	"marginalia/internal/testkit/testfile"
)

// writeCell writes the program of a cell that imports packages and does what body says.
func writeCell(t testing.TB, dir, body string, packages ...string) {
	t.Helper()
	text := "package main\n\nimport (\n"
	for _, p := range packages {
		text += fmt.Sprintf("\t%q\n", p)
	}
	text += ")\n\nfunc main() {\n" + body + "\n}\n"
	testfile.Write(t, filepath.Join(dir, "main.go"), text)
}

// A cell that imports mlkit/svm is compiled and linked nearly as fast as one that imports
// gonum/mat. Two things that are easily done undo it: a generic type that an exported one
// reaches by a field or a parameter of a method, for then all methods of that type are
// compiled with the cell, which takes a third more; and context.Background(), which brings
// along the formats and time zones of package time.
func TestCellWithSVMCompilesItselfAlone(t *testing.T) {
	dir, env := cellFolder(t)
	writeCell(t, dir, svmCell, "fmt", "gonum.org/v1/gonum/mat", "marginalia/mlkit/svm")
	out, status := goCommand(t, dir, env, "build", "-gcflags=-m", "-ldflags=", "-o", "cell")
	if status != 0 {
		t.Fatal(out)
	}
	own, others := 0, 0
	for line := range strings.Lines(out) {
		switch {
		case strings.HasPrefix(line, "./main.go:"):
			own++
		case strings.Contains(line, ".go:"):
			if others++; others == 1 {
				t.Errorf("compiled with the cell, though it is of another package: %s", line)
			}
		}
	}
	if own == 0 {
		t.Errorf("the compiler says nothing of the cell itself: %s", out)
	}
	names, status := goCommand(t, dir, env, "tool", "nm", "cell")
	if status != 0 || !strings.Contains(names, " marginalia/mlkit/svm.") {
		t.Fatalf("status %d, or the symbols of the cell have nothing of mlkit/svm: %.500s", status, names)
	}
	if strings.Contains(names, " time.Time.") {
		t.Error("the cell is linked with the formats of package time")
	}
}

// What cells do in TestCellWithSVMCompilesItselfAlone and BenchmarkRelink.
const (
	matCell = "\tvar x mat.Dense\n\tx.Mul(mat.NewDense(1, 1, []float64{2}), mat.NewDense(1, 1, []float64{3}))\n\tfmt.Println(mat.Formatted(&x))"
	svmCell = matCell + "\n\tvar c svm.Classifier\n\tfmt.Println(c.Fit(&x, []int{1}))"
)

// BenchmarkRelink builds four cells after an edit, one after the other, through the
// go command: one imports gonum/mat, one draws, one draws with gonum/plot
// alone, one imports mlkit/svm. It reports the medians of their CPU times as ratios to
// the first.
func BenchmarkRelink(b *testing.B) {
	cells := []struct {
		name, body string
		packages   []string
		dir        string
		env        []string
		took       []time.Duration
	}{
		{name: "mat", body: matCell, packages: []string{"fmt", "gonum.org/v1/gonum/mat"}},
		{name: "plotting", body: matCell + "\n\tplotting.Show(\"line\", plotting.New(\"line\", plotting.Line([]float64{1, 2}, []float64{1, 2})))",
			packages: []string{"fmt", "gonum.org/v1/gonum/mat", "marginalia/plotting"}},
		{name: "gonum-plot", body: matCell + "\n\tp := plot.New()\n\tp.Save(300, 200, \"line.png\")",
			packages: []string{"fmt", "gonum.org/v1/gonum/mat", "gonum.org/v1/plot"}},
		{name: "svm", body: svmCell,
			packages: []string{"fmt", "gonum.org/v1/gonum/mat", "marginalia/mlkit/svm"}},
	}
	build := func(i, edit int) {
		c := &cells[i]
		writeCell(b, c.dir, fmt.Sprintf("%s\n\tfmt.Println(%d)", c.body, edit), c.packages...)
		cmd := processes.Command(b.Context(), "go", "build", "-o", "cell")
		cmd.Dir = c.dir
		cmd.Env = slices.Concat([]string{"GOGC=400"}, os.Environ(), c.env)
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%s: %v\n%s", c.name, err, out)
		}
		c.took = append(c.took, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	}
	for i := range cells {
		c := &cells[i]
		c.dir, c.env = cellFolder(b)
		build(i, -1)
		c.took = nil
	}
	for n := 0; b.Loop(); n++ {
		for i := range cells {
			build(i, n)
		}
	}
	median := func(i int) float64 {
		slices.Sort(cells[i].took)
		return cells[i].took[len(cells[i].took)/2].Seconds()
	}
	b.ReportMetric(median(0), "s(mat)")
	for i, c := range cells[1:] {
		b.ReportMetric(median(i+1)/median(0), c.name+"/mat")
	}
}
