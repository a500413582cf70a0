package course

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/property"
)

// folder makes a course folder of files and their texts.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		must.Do(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	return dir
}

func TestNew(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ml", `a "course"`)
	must.Do(t, New(dir))
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the folder: %v, %v, want others to be able to read it", info, err)
	}
	c := must.Get(Open(dir)).Or(t)
	if c.ID != `a "course"` {
		t.Errorf("the course's id is %q, want the folder's name", c.ID)
	}
	if names, err := c.Assignments(); err != nil || !slices.Equal(names, []string{"ps0"}) {
		t.Errorf("assignments %q, %v, want ps0", names, err)
	}
	files, err := c.Notebooks("ps0")
	if err != nil || len(files) != 1 {
		t.Fatalf("notebooks %q, %v", files, err)
	}
	nb := must.Get(nbformat.Read(files[0])).Or(t)
	if err := nbgrader.Validate(nb); err != nil {
		t.Error(err)
	}
	kinds := map[nbgrader.Kind]bool{}
	for _, cell := range nb.Cells {
		m, _ := nbgrader.Read(cell)
		kinds[m.Kind()] = true
	}
	if len(kinds) != 5 {
		t.Errorf("the example has the kinds %v, want all five", kinds)
	}
	stored, _ := os.ReadFile(files[0])
	if data, err := nb.Encode(); err != nil || string(data) != string(stored) {
		t.Errorf("the example is not as Jupyter writes it (%v)", err)
	}
	before := tree(t, dir)
	if err := New(dir); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("over a course: %v", err)
	}
	if !slices.Equal(tree(t, dir), before) {
		t.Error("a second New changed the folder")
	}
	file := filepath.Join(t.TempDir(), "file")
	os.WriteFile(file, nil, 0o666)
	if err := New(file); err == nil {
		t.Error("a file becomes a folder")
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), ".course-*")); len(left) > 0 {
		t.Errorf("temporary folders are left: %q", left)
	}
	empty := t.TempDir()
	if err := New(empty); err != nil {
		t.Errorf("in an empty folder: %v", err)
	}
}

func tree(t *testing.T, dir string) (all []string) {
	filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		text, _ := os.ReadFile(path)
		all = append(all, path+"\x00"+string(text))
		return err
	})
	return all
}

const settings = `
course = "ml"
zone = "Europe/Zurich"
imports = ["fmt", "gonum.org/v1/gonum/..."]
limits = { time = 10, memory = "1 GiB", cell = "3s" }
late = { grace = "1h30m", policy = "10% per day, at most 50%" }
[assignment.ps1]
due = 2026-07-01T12:00:00
extensions = { "zoë o'neil" = "1w2d", "ben" = 2026-07-02T12:00:00Z }
imports = ["regexp"]
public = ["x"]
late = { policy = "zero" }
[assignment.ps2]
due = 2026-12-01T12:00:00
limits = { memory = "64 MiB", notebook = "30s" }
outputs = false
`

func TestSettings(t *testing.T) {
	c := must.Get(Open(folder(t, map[string]string{"course.toml": settings}))).Or(t)
	noon := time.Date(2026, 7, 1, 10, 0, 0, 0, time.UTC) // Zurich's summer time is two hours ahead of UTC
	got := c.Settings("ps1")
	if !got.Due.Equal(noon) {
		t.Errorf("due %v, want %v", got.Due, noon)
	}
	want := Settings{
		Imports: []string{"fmt", "gonum.org/v1/gonum/...", "regexp"}, Public: []string{"x"}, TimeFactor: 10, Memory: 1 << 30,
		Outputs: true, Cell: 3 * time.Second, Notebook: time.Minute,
		Due: got.Due, Zone: got.Zone, Grace: Span{Rest: 90 * time.Minute}, Late: Policy{Zero: true},
		Extensions: map[string]time.Duration{"zoë o'neil": 9 * day, "ben": day + 2*time.Hour},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("ps1: %+v, want %+v", got, want)
	}
	if got, want := got.InTime("ben"), time.Date(2026, 7, 2, 13, 30, 0, 0, time.UTC); !got.Equal(want) {
		t.Errorf("ben's is due %v, want %v", got, want)
	}
	if got, want := got.InTime("anna"), noon.Add(90*time.Minute); !got.Equal(want) {
		t.Errorf("anna's is due %v, want %v", got, want)
	}
	two := c.Settings("ps2")
	if !two.Due.Equal(time.Date(2026, 12, 1, 11, 0, 0, 0, time.UTC)) || two.Memory != 64<<20 || two.Outputs || two.Cell != 3*time.Second || two.Notebook != 30*time.Second || two.TimeFactor != 10 || two.Late != (Policy{Percent: 10, Every: Span{Days: 1}, Most: 50}) {
		t.Errorf("ps2: %+v", two)
	}
	other := c.Settings("not-there")
	if !other.Due.IsZero() || !other.InTime("ben").IsZero() || other.Memory != 1<<30 {
		t.Errorf("one without a table: %+v", other)
	}
	for path, may := range map[string]bool{"fmt": true, "os": false, "gonum.org/v1/gonum": true, "gonum.org/v1/gonum/mat": true, "gonum.org/v1/gonumx": false, "regexp": false} {
		if two.MayImport(path) != may {
			t.Errorf("may import %s: %v, want %v", path, !may, may)
		}
	}
	// What nbgrader made has the defaults; unsafe ways out are in none.
	d := must.Get(Open(folder(t, map[string]string{"nbgrader_config.py": ""}))).Or(t)
	s := d.Settings("ps1")
	for _, path := range []string{"os", "os/exec", "unsafe", "syscall", "syscall/js", "net/http", "C", "plugin", "runtime", "reflect", "embed", "marginalia/internal/course"} {
		if s.MayImport(path) {
			t.Errorf("by default answers may import %s", path)
		}
	}
	if !s.MayImport("fmt") || !s.MayImport("gonum.org/v1/gonum/mat") || s.TimeFactor < 1 || s.Memory < 1<<20 || s.Late != (Policy{}) {
		t.Errorf("defaults: %+v", s)
	}
}

// The file is strict: a slip in a key would otherwise be a rule that silently does not hold.
func TestSettingsRefuse(t *testing.T) {
	for text, want := range map[string]string{
		"course = \"x\"\n\nzoom = 3":                                          "line 3: unknown key zoom",
		"[late]\ngrace = \"1h\"\npolicies = \"zero\"":                         "line 3: unknown key late.policies",
		"[assignment.ps1]\n\ndeu = 2026-01-01T00:00:00":                       "line 3: unknown key assignment.ps1.deu",
		"[assignments.ps1]":                                                   "line 1: unknown key assignments",
		"course = 3":                                                          "line 1: ",
		"course = \"x":                                                        "line 1: ",
		"\nzone = \"Zurich\"":                                                 `line 2: zone "Zurich": want a name such as Europe/Zurich`,
		"zone = \"../../etc/passwd\"":                                         "line 1: zone",
		"late = { grace = \"soon\" }":                                         `line 1: "soon": want a duration`,
		"late = { grace = \"-1h\" }":                                          `line 1: "-1h": want a duration`,
		"late = { grace = \"9999w9999w\" }":                                   `line 1: "9999w9999w": more than ten years`,
		"late = { policy = \"10%\" }":                                         `line 1: policy "10%": want "none", "zero"`,
		"late = { policy = \"110% per day\" }":                                `line 1: policy "110% per day"`,
		"late = { policy = \"10% per day, at most 150%\" }":                   `line 1: policy "10% per day, at most 150%"`,
		"limits = { memory = \"1 GB\" }":                                      `line 1: memory "1 GB": want a number and a unit`,
		"limits = { memory = \"-1 MiB\" }":                                    `line 1: memory`,
		"[assignment.x]\nlimits = { cell = \"2m\" }":                          "assignment.x.limits: cell 2m0s, notebook 1m0s",
		"limits = { time = \"long\" }":                                        "line 1: ",
		"[assignment.x]\nlimits = { time = 0 }":                               "assignment.x.limits.time: 0, want a number from 1 on",
		"[assignment.x]\nlimits = { time = nan }":                             "assignment.x.limits.time: NaN",
		"[assignment.\"../x\"]":                                               `assignment.../x: course: assignment "../x": want letters`,
		"[assignment.x]\ndue = 2026-01-01":                                    "assignment.x.due: 2026-01-01: want a date and a time",
		"[assignment.x]\ndue = \"2026-01-01T00:00:00\"":                       "assignment.x.due: 2026-01-01T00:00:00: want a date and a time without quotes",
		"zone = \"Europe/Zurich\"\n[assignment.x]\ndue = 2027-03-28T02:30:00": "assignment.x.due: 2027-03-28T02:30:00 does not exist in Europe/Zurich",
		"[assignment.x]\nextensions = { a = \"1d\" }":                         `assignment.x.extensions."a": the assignment has no due date`,
		"[assignment.x]\ndue = 2026-01-01T00:00:00\nextensions = { a = 3 }":   `assignment.x.extensions."a": 3: want a date and a time without quotes, such as 2026-11-30T23:59:00, or a duration such as "36h", "2d" or "1w"`,
		"[assignment.x]\ndue = 2026-01-01T00:00:00\nextensions = { a = 2025-01-01T00:00:00 }": `is before the due date`,
		"[assignment.x]\ndue = 2026-01-01T00:00:00\nextensions = { \"../a\" = \"1d\" }":       `student "../a"`,
	} {
		_, err := Open(folder(t, map[string]string{"course.toml": text}))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestOpenNbgrader(t *testing.T) {
	// What nbgrader quickstart writes, in short.
	c := must.Get(Open(folder(t, map[string]string{"nbgrader_config.py": "c = get_config()\n" +
		"c.CourseDirectory.course_id = \"course101\" # ours\n    c.IncludeHeaderFooter.header = 'source/header.ipynb'\n" +
		"# c.CourseDirectory.source_directory = 'elsewhere'\nc.CourseDirectory.release_directory = 'release'\n"}))).Or(t)
	if c.ID != "course101" || c.Header != "source/header.ipynb" || c.Footer != "" {
		t.Errorf("id %q, header %q, footer %q", c.ID, c.Header, c.Footer)
	}
	for text, want := range map[string]string{
		"\nc.CourseDirectory.source_directory = 'elsewhere'":    `line 2: CourseDirectory.source_directory is not "source"`,
		"c.CourseDirectory.db_url = os.environ['DB']":           "line 1: CourseDirectory.db_url",
		"c.ClearSolutions.begin_solution_delimeter = 'LÖSUNG'":  "ClearSolutions.begin_solution_delimeter is not",
		"c.IncludeHeaderFooter.header = '../../x.ipynb'":        "IncludeHeaderFooter.header: want the path of a notebook within",
		"c.IncludeHeaderFooter.footer = os.path.join('a', 'b')": "IncludeHeaderFooter.footer: want the path of a notebook within",
	} {
		if _, err := Open(folder(t, map[string]string{"nbgrader_config.py": text})); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), "is not a course folder") {
		t.Errorf("an empty folder: %v", err)
	}
	if _, err := Open(folder(t, map[string]string{"source/x/x.ipynb": ""})); err != nil {
		t.Errorf("a folder with source alone, as nbgrader takes: %v", err)
	}
}

func TestNames(t *testing.T) {
	for _, name := range []string{"ps1", "Übung 3", "hw-1.2", "_x", "作业1", "a"} {
		if err := CheckAssignment(name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"", ".", "..", "a/b", `a\b`, "../x", "a..", "a.", "a ", " a", ".x", "-x", "a+b", "a\x00", "a\nb", "a*", "a:b", "a\u202eb", strings.Repeat("x", 101), "\xff", "~a", "$HOME"} {
		if err := CheckAssignment(name); err == nil {
			t.Errorf("assignment %q is allowed", name)
		}
	}
	for _, id := range []string{"anna", "zoë o'neil", `"x"`, "a@b.c", "12345", "李", "a+b", "a..b", "Müller, Jörg"} {
		if err := CheckStudent(id); err != nil {
			t.Error(err)
		}
	}
	for _, id := range []string{"", ".", "..", "a/b", `a\b`, "../a", "/etc", ".ssh", "-rf", " a", "a ", "a.", "a*", "a?", "[a]", "a\x00b", "a\x1b[2J", "a\u202eb", "a\u200bb", "a\u2028b", "\xff", strings.Repeat("ä", 51)} {
		if err := CheckStudent(id); err == nil {
			t.Errorf("student %q is allowed", id)
		}
	}
}

// Whatever the names, a path leads to a folder within its step, and different names
// to different ones.
func TestPathProperty(t *testing.T) {
	c := &Course{Dir: string(filepath.Separator) + "course"}
	part := rapid.OneOf(rapid.String(), rapid.StringMatching(`[./\\a-c~: ]{0,6}`), rapid.StringMatching(`[a-c]{1,3}`))
	property.Check(t, func(r *rapid.T) {
		student, name := part.Draw(r, "student"), part.Draw(r, "name")
		path, err := c.Path(Submitted, student, name)
		if err != nil {
			return
		}
		rel, err := filepath.Rel(filepath.Join(c.Dir, "submitted"), path)
		if err != nil || rel != student+string(filepath.Separator)+name || strings.Count(rel, string(filepath.Separator)) != 1 {
			r.Fatalf("%q, %q: %s", student, name, path)
		}
	})
	if _, err := c.Path(Release, "anna", "ps1"); err == nil {
		t.Error("a release of one student's")
	}
	if _, err := c.Path(Submitted, "", "ps1"); err == nil {
		t.Error("a submission of nobody's")
	}
}

func TestFolders(t *testing.T) {
	c, err := Open(folder(t, map[string]string{
		"source/header.ipynb": "", "source/ps1/ps1.ipynb": "", "source/ps1/a.csv": "", "source/ps2/notes.txt": "",
		"source/.ipynb_checkpoints/x.ipynb": "", "submitted/zoë/ps1/ps1.ipynb": "", "submitted/anna/ps1/ps1.ipynb": "", "submitted/list.csv": "", "submitted/.git/x": ""}))
	must.Do(t, err)
	if names, err := c.Assignments(); err != nil || !slices.Equal(names, []string{"ps1"}) {
		t.Errorf("assignments %q, %v", names, err)
	}
	if ids, err := c.Students(Submitted); err != nil || !slices.Equal(ids, []string{"anna", "zoë"}) {
		t.Errorf("students %q, %v", ids, err)
	}
	if ids, err := c.Students(Feedback); err != nil || len(ids) != 0 {
		t.Errorf("without the folder: %q, %v", ids, err)
	}
	if _, err := c.Notebooks("ps2"); err == nil || !strings.Contains(err.Error(), "has no notebook") || !strings.Contains(err.Error(), "there are ps1") {
		t.Errorf("ps2: %v", err)
	}
	if _, err := c.Notebooks("../source/ps1"); err == nil || !strings.Contains(err.Error(), "want letters") {
		t.Errorf("a path: %v", err)
	}
}

// Any text is a course.toml or an error, never a panic, and what Open takes has settings
// within their ranges.
func FuzzSettings(f *testing.F) {
	f.Add(settings)
	f.Add("zone = \"\"\n[assignment.a]\ndue = 0000-01-01T00:00:00Z\nextensions = {b = \"999999w\"}")
	f.Fuzz(func(t *testing.T, text string) {
		c := &Course{config: defaults()}
		if err := c.decode("course.toml", strings.NewReader(text)); err != nil {
			return
		}
		for name := range c.config.Assignment {
			s := c.Settings(name)
			if !(s.TimeFactor >= 1) || s.Memory <= 0 || s.Grace.about() < 0 || s.Late.Percent < 0 || s.Late.Percent > 100 {
				t.Errorf("%q: %+v", text, s)
			}
			for student, by := range s.Extensions {
				if by < 0 || CheckStudent(student) != nil {
					t.Errorf("%q: extension of %q by %v", text, student, by)
				}
			}
		}
	})
}
