package grade_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"marginalia/internal/base/setup"
	"marginalia/internal/course"
	"marginalia/internal/course/formgrade"
	"marginalia/internal/course/release"
	"marginalia/internal/kernel"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/testkit/must"
)

// kinds are what submissions are, and how many of a hundred.
var kinds = []struct {
	name  string
	share int
}{{"right", 40}, {"wrong", 40}, {"not compiling", 10}, {"empty", 5}, {"endless", 5}}

// These bound what takes long: endless submissions, at 17 seconds of the processor each, and those that nbgrader grades, at nine.
const maxEndless, maxSample = 15, 20

// BenchmarkSubmissions grades submissions of the two assignments whose solutions take longest, each a
// program of its own. Per submission it reports processor time, the clock and the memory of the largest
// process, for each kind. A fifteenth of them, 20 at most and drawn from those that end, nbgrader grades too: on our
// kernel, as marginalia with all cores. Of those that are endless 15 at most are graded.
//
//	go test ./internal/course/grade -run '^$' -bench Submissions -benchtime 300x -timeout 5h
func BenchmarkSubmissions(b *testing.B) {
	for _, name := range []string{"spectral", "svm"} {
		b.Run(name, func(b *testing.B) { submissions(b, name) })
	}
}

func submissions(b *testing.B, name string) {
	if b.N == 1 {
		return // package testing's trial
	}
	b.Setenv("MARGINALIA_ROOT", root(b))
	marginalia := filepath.Join(b.TempDir(), "marginalia")
	command(b, root(b), "go", "build", "-o", marginalia, ".")
	var sample []int
	byKind := map[string][]int{}
	r := rand.New(rand.NewPCG(15, 0))
	for i := range b.N {
		at := i % 20 * 5 // of 20 in a row each kind has its share
		k := slices.IndexFunc(kinds, func(k struct {
			name  string
			share int
		}) bool {
			at -= k.share
			return at < 0
		})
		if kinds[k].name != "endless" {
			sample = append(sample, i)
		} else if len(byKind["endless"]) == maxEndless {
			continue
		}
		byKind[kinds[k].name] = append(byKind[kinds[k].name], i)
	}
	r.Shuffle(len(sample), func(i, j int) { sample[i], sample[j] = sample[j], sample[i] })
	sample = sample[:min(b.N/15, maxSample)]
	s := newStudents(b, name, byKind)

	all, compared := s.course(b, byKind), s.course(b, map[string][]int{"": sample})
	grade := func(dir string, students []int) cost {
		args := []string{"course", "grade", name, "--course", dir, "--jobs", fmt.Sprint(runtime.NumCPU())}
		for _, i := range students {
			args = append(args, "--student", student(i))
		}
		return command(b, dir, marginalia, args...)
	}
	warm := s.course(b, map[string][]int{"": {0}})
	grade(warm, []int{0}) // builds the judge
	b.ResetTimer()
	var ended cost
	count := 0
	for _, k := range kinds {
		n := len(byKind[k.name])
		if n == 0 {
			continue // without students named, all would be graded
		}
		c := grade(all, byKind[k.name])
		b.Logf("%4d %-14s %5.2f s of the processor, %5.2f s by the clock each, largest process %3.0f MB", n, k.name, c.processor/float64(n), c.clock/float64(n), c.memory)
		if k.name != "endless" {
			ended, count = cost{ended.processor + c.processor, ended.clock + c.clock, max(ended.memory, c.memory)}, count+n
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(ended.processor/float64(count), "cpu-s/submission")
	b.ReportMetric(ended.clock/float64(count), "s/submission")
	b.ReportMetric(ended.memory, "MB")
	if len(sample) == 0 {
		return
	}
	ours := grade(compared, sample)
	theirs := s.nbgrader(b, compared)
	b.Logf("%4d of them: marginalia %.1f s by the clock and %.1f s of the processor, nbgrader %.1f s and %.1f s", len(sample), ours.clock, ours.processor, theirs.clock, theirs.processor)
	b.ReportMetric(theirs.clock/ours.clock, "nbgrader/marginalia")
	b.ReportMetric(theirs.processor/ours.processor, "nbgrader/marginalia(cpu)")
}

func student(i int) string { return fmt.Sprintf("s%04d", i) }

// A cost is what a command takes: seconds of the processor and by the clock, and the memory of the largest of its
// processes in MB.
type cost struct{ processor, clock, memory float64 }

// command runs a program, which must succeed.
func command(b *testing.B, dir, name string, args ...string) cost {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), name, args...)
	cmd.Dir = dir
	begun := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		b.Fatalf("%s %s: %v\n%s", name, args[0], err, out)
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return cost{(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), time.Since(begun).Seconds(), float64(usage.Maxrss) / 1e3}
}

// students are those of one assignment.
type students struct {
	name    string
	release *nbformat.Notebook
	files   map[int][]byte // notebooks by student
}

// newStudents writes submissions: the solution, mutated.
func newStudents(b *testing.B, name string, byKind map[string][]int) *students {
	b.Helper()
	c := must.Get(course.Open(filepath.Join(root(b), "notebooks/assignments"))).Or(b)
	made := must.Get(release.Make(c, name)).Or(b)
	source := filepath.Join(c.Dir, "source", name, name+".ipynb")
	wrong, err := filepath.Glob(filepath.Join(c.Dir, "testdata", name, "*.txtar"))
	if err != nil || len(wrong) == 0 {
		b.Fatalf("%d wrong submissions: %v", len(wrong), err)
	}
	wrong = slices.DeleteFunc(wrong, func(file string) bool { return filepath.Base(file) == "endless.txtar" })
	s := &students{name: name, release: made.Notebooks[0].Release, files: map[int][]byte{}}
	for kind, all := range byKind {
		for _, i := range all {
			r := rand.New(rand.NewPCG(15, uint64(i)+1))
			file := ""
			if kind == "wrong" {
				file = wrong[r.IntN(len(wrong))]
			}
			s.files[i] = s.written(b, source, file, kind, i, r)
		}
	}
	return s
}

// written is what one student hands in: the release with the answers of the solution, or of
// one of the wrong submissions of the tests.
func (s *students) written(b *testing.B, source, wrong, kind string, i int, r *rand.Rand) []byte {
	b.Helper()
	solved, err := nbformat.Read(source)
	if wrong != "" {
		solved = apply(b, source, wrong)
	}
	must.Do(b, err)
	answers := map[string]string{}
	var functions []string
	for _, c := range solved.Cells {
		if m, _ := nbgrader.Read(c); m.Kind() == nbgrader.Answer {
			answers[m.ID] = c.Source
			if strings.Contains(c.Source, ") {\n") {
				functions = append(functions, m.ID)
			}
		}
	}
	slices.Sort(functions)
	id := functions[r.IntN(len(functions))]
	switch kind {
	case "not compiling":
		answers[id] = strings.Replace(answers[id], "{\n", "{\n\tvar undeclared = missing\n", 1)
	case "endless":
		answers[id] = strings.Replace(answers[id], ") {\n", ") {\n\tfor {\n\t}\n", 1)
	}
	// No two are the same program.
	answers[id] += fmt.Sprintf("\n\nconst student%d = %d\n", i, i)
	data := must.Get(s.release.Encode()).Or(b)
	nb := must.Get(nbformat.Decode(data)).Or(b)
	for _, c := range nb.Cells {
		if m, _ := nbgrader.Read(c); kind != "empty" && answers[m.ID] != "" {
			c.Source = answers[m.ID]
		}
	}
	data = must.Get(nb.Encode()).Or(b)
	return data
}

// course makes a course with the assignment, and with the submissions of some.
func (s *students) course(b *testing.B, byKind map[string][]int) string {
	b.Helper()
	dir, from := b.TempDir(), filepath.Join(root(b), "notebooks/assignments")
	write := func(data []byte, at ...string) {
		file := filepath.Join(append([]string{dir}, at...)...)
		must.Do(b, os.MkdirAll(filepath.Dir(file), 0o777))
		must.Do(b, os.WriteFile(file, data, 0o666))
	}
	for _, at := range []string{"course.toml", "nbgrader_config.py", filepath.Join("source", s.name, s.name+".ipynb")} {
		data := must.Get(os.ReadFile(filepath.Join(from, at))).Or(b)
		write(data, at)
	}
	for _, all := range byKind {
		for _, i := range all {
			write(s.files[i], "submitted", student(i), s.name, s.name+".ipynb")
		}
	}
	return dir
}

// nbgrader grades the submissions of a course on our kernel. A cell may take 30 seconds.
func (s *students) nbgrader(b *testing.B, dir string) cost {
	b.Helper()
	python := must.Get(formgrade.Nbgrader().Python(b.Context(), nil)).Or(b)
	spec := must.Get(kernel.Spec(b.Context(), root(b), setup.Lines(os.Stderr))).Or(b)
	env := map[string]string{}
	for _, kv := range spec.Env {
		k, v, _ := strings.Cut(kv, "=")
		env[k] = v
	}
	data, err := json.Marshal(map[string]any{"argv": spec.Argv, "env": env, "display_name": "Go (gonb)", "language": "go", "interrupt_mode": "message"})
	must.Do(b, err)
	jupyter := b.TempDir()
	must.Do(b, os.MkdirAll(filepath.Join(jupyter, "kernels/gonb"), 0o777))
	must.Do(b, os.WriteFile(filepath.Join(jupyter, "kernels/gonb/kernel.json"), data, 0o666))
	b.Setenv("JUPYTER_PATH", jupyter)
	b.Setenv("PATH", filepath.Dir(python)+string(os.PathListSeparator)+os.Getenv("PATH")) // it starts alembic
	for _, made := range []string{"autograded", "gradebook.db"} {
		must.Do(b, os.RemoveAll(filepath.Join(dir, made)))
	}
	command(b, dir, python, "-m", "nbgrader", "generate_assignment", s.name)
	c := command(b, dir, python, "-m", "nbgrader", "autograde", s.name, "--ExecutePreprocessor.timeout=30", "--ExecutePreprocessor.interrupt_on_timeout=True")
	graded, err := filepath.Glob(filepath.Join(dir, "autograded/*", s.name, s.name+".ipynb"))
	submitted, _ := filepath.Glob(filepath.Join(dir, "submitted/*"))
	if err != nil || len(graded) != len(submitted) {
		b.Fatalf("nbgrader graded %d of %d: %v", len(graded), len(submitted), err)
	}
	return c
}

// apply returns the lecturer's notebook with the answers of an archive.
func apply(t testing.TB, source, file string) *nbformat.Notebook {
	t.Helper()
	nb := must.Get(nbformat.Read(source)).Or(t)
	archive := must.Get(txtar.ParseFile(file)).Or(t)
	for _, f := range archive.Files {
		for _, c := range nb.Cells {
			if m, _ := nbgrader.Read(c); m.ID == f.Name {
				c.Source = string(f.Data)
			}
		}
	}
	return nb
}
