package formgrade_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"marginalia/internal/gradebook"
	"marginalia/internal/jupyter/jupytertest"
	"marginalia/internal/lab/labtest"
	"marginalia/internal/nbformat"
	"marginalia/internal/nbgrader"
	"marginalia/internal/repo"
	"marginalia/internal/setup"
	"marginalia/internal/tier"
)

// A desk is a lecturer's: the marginalia command, and a course made by it with ps0.
type desk struct {
	t       *testing.T
	command string
	dir     string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	root, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t, filepath.Join(t.TempDir(), "marginalia"), filepath.Join(t.TempDir(), "course of 'two'")}
	build := exec.Command("go", "build", "-o", d.command, ".")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("MARGINALIA_ROOT", root)
	d.course("new", d.dir)
	d.course("release", "ps0")
	return d
}

// course runs a verb of the course command and returns what it prints.
func (d *desk) course(verb string, args ...string) string {
	d.t.Helper()
	cmd := exec.CommandContext(d.t.Context(), d.command, append([]string{"course", verb, "--course", d.dir}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.t.Fatalf("course %s %q: %v\n%s", verb, args, err, out)
	}
	return string(out)
}

// edit changes a notebook of the course.
func (d *desk) edit(change func(*nbformat.Notebook), path ...string) {
	d.t.Helper()
	file := filepath.Join(append([]string{d.dir}, path...)...)
	nb := labtest.Read(d.t, file)
	change(nb)
	if err := nb.WriteFile(file); err != nil {
		d.t.Fatal(err)
	}
}

// handIn puts a submission of ps0 into submitted: the release with these answers, by
// grade_id, and cells behind it.
func (d *desk) handIn(student string, minute int, answers map[string]string, cells ...*nbformat.Cell) {
	d.t.Helper()
	to := filepath.Join(d.dir, "submitted", student, "ps0")
	if err := os.MkdirAll(to, 0o755); err != nil {
		d.t.Fatal(err)
	}
	nb := labtest.Read(d.t, filepath.Join(d.dir, "release", "ps0", "ps0.ipynb"))
	for _, c := range nb.Cells {
		if m, _ := nbgrader.Read(c); answers[m.ID] != "" {
			c.Source = answers[m.ID]
		}
	}
	nb.Cells = append(nb.Cells, cells...)
	if err := nb.WriteFile(filepath.Join(to, "ps0.ipynb")); err != nil {
		d.t.Fatal(err)
	}
	stamp := fmt.Sprintf("2026-11-22 18:%02d:00 UTC", minute)
	if err := os.WriteFile(filepath.Join(to, "timestamp.txt"), []byte(stamp), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

// submissions are those of ps0 in the gradebook, by student.
func (d *desk) submissions() []gradebook.Submission {
	d.t.Helper()
	book, err := gradebook.Open(d.t.Context(), filepath.Join(d.dir, "gradebook.db"))
	if err != nil {
		d.t.Fatal(err)
	}
	defer book.Close()
	all, err := book.Submissions(d.t.Context(), "ps0")
	if err != nil {
		d.t.Fatal(err)
	}
	return all
}

// marks returns what the gradebook has of a student: the grader's mark, that by hand and the
// extra credit of each cell with points, whether it needs a hand, and the comment by hand.
func (d *desk) marks(student string) map[string]string {
	d.t.Helper()
	text := func(p *float64) string {
		if p == nil {
			return "-"
		}
		return fmt.Sprint(*p)
	}
	marks := map[string]string{}
	all := d.submissions()
	for _, m := range all[slices.IndexFunc(all, func(s gradebook.Submission) bool { return s.Student.ID == student })].Notebooks[0].Cells {
		marks[m.Cell] = fmt.Sprintf("%s %s %s %v %s", text(m.Auto), text(m.Manual), text(m.Extra), m.NeedsHand, m.HandComment)
	}
	return marks
}

// A server is a running formgrader, with a window of a browser on it.
type server struct {
	labtest.Server
	d   *desk
	ctx context.Context
}

var address = regexp.MustCompile(`(http://127\.0\.0\.1:\d+)/formgrader/manage_assignments\?token=(\w+)`)

// formgrader starts course formgrade, and at the test's end interrupts it, as Ctrl-C does.
func (d *desk) formgrader() *server {
	t := d.t
	t.Helper()
	chromium, ok := setup.Chromium()
	if !ok {
		t.Fatal("there is no Chromium in PATH")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	marker := jupytertest.Marker()
	cmd := exec.Command(d.command, "course", "formgrade", "--no-browser", "--port", strconv.Itoa(port), "--course", d.dir)
	cmd.Env = append(os.Environ(), marker)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		if err := <-ended; err != nil {
			t.Errorf("formgrade, interrupted: %v", err)
		}
		jupytertest.AwaitNoStrays(t, marker)
		if said, _ := os.ReadFile(log.Name()); t.Failed() || bytes.Contains(said, []byte("Traceback")) {
			t.Errorf("formgrade said\n%s", said)
		}
	})
	s := &server{d: d}
	for deadline := time.Now().Add(labtest.Patience); s.URL == ""; time.Sleep(100 * time.Millisecond) {
		said, _ := os.ReadFile(log.Name())
		if m := address.FindSubmatch(said); m != nil {
			s.URL, s.Token = string(m[1]), string(m[2])
		} else if len(ended) > 0 || time.Now().After(deadline) {
			t.Fatalf("formgrade has not started:\n%s", said)
		}
	}
	s.ctx = labtest.Window(t, labtest.Browse(t, chromium))
	return s
}

func (s *server) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	s.d.t.Helper()
	if err := chromedp.Do(s.ctx, chromedp.Steps(steps...)); err != nil {
		s.d.t.Fatalf("%s: %v%s", what, err, labtest.Picture(s.ctx, s.d.t.Name()+"-failed"))
	}
}

func (s *server) wait(what, condition string) {
	s.d.t.Helper()
	labtest.Wait(s.ctx, s.d.t, what, condition)
}

// open opens a page, waits for a condition and takes a picture.
func (s *server) open(name, path, condition string) {
	s.d.t.Helper()
	s.do("opening "+path, chromedp.Navigate(s.Page(path)))
	s.wait(name, condition)
	s.d.t.Log(name, labtest.Picture(s.ctx, s.d.t.Name()+"-"+name))
}

// untouched reports a page in which a submission's script has run.
func (s *server) untouched() {
	s.d.t.Helper()
	struck, err := chromedp.Run(s.ctx, chromedp.Evaluate[string](`String(window.struck)`))
	if err != nil || struck != "undefined" {
		s.d.t.Errorf("script %s of a submission has run: %v", struck, err)
	}
}

// get returns what formgrader's API says, as JSON does in Go.
func (s *server) get(path string) []map[string]any {
	s.d.t.Helper()
	all, err := chromedp.Run(s.ctx, chromedp.Evaluate[[]map[string]any](fmt.Sprintf(`(async () => (await fetch(%q)).json())()`, s.Page(path)), chromedp.EvalAwaitPromise))
	if err != nil {
		s.d.t.Fatal(err)
	}
	return all
}

// submission is the path of the page of a student's notebook.
func (s *server) submission(student string) string {
	s.d.t.Helper()
	for _, nb := range s.get("/formgrader/api/submitted_notebooks/ps0/ps0") {
		if nb["student"] == student {
			return fmt.Sprint("/formgrader/submissions/", nb["id"], "/")
		}
	}
	s.d.t.Fatalf("formgrader has no notebook of %s", student)
	return ""
}

// enter types into a field of a submission's page and waits until that is saved, which the
// mark beside the field says.
func (s *server) enter(field, text string) {
	s.d.t.Helper()
	saved := fmt.Sprintf(`(window.saves ?? 0) > %d`, s.saves())
	s.wait(field+" to be ready", fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.focus(); e.select(); return document.activeElement === e; })()`, field))
	s.do("typing into "+field, chromedp.KeyEvent(text+kb.Tab))
	s.wait(field+" to be saved", saved)
}

// saves counts what the page has saved.
func (s *server) saves() int {
	s.d.t.Helper()
	n, err := chromedp.Run(s.ctx, chromedp.Evaluate[int](`(() => {
		if (window.saves === undefined) {
			window.saves = 0;
			$(document).ajaxSuccess((_, request, settings) => { if (settings.type === 'PUT') window.saves++; });
		}
		return window.saves;
	})()`))
	if err != nil {
		s.d.t.Fatal(err)
	}
	return n
}

// statistics compares what formgrader shows of ps0 with what the gradebook has.
func (s *server) statistics() {
	t := s.d.t
	t.Helper()
	all := s.d.submissions()
	mean := gradebook.Average(all)
	a := s.get("/formgrader/api/assignments")[0]
	got := []any{a["num_submissions"], a["average_score"], a["average_code_score"], a["average_written_score"], a["average_task_score"]}
	if want := []any{float64(len(all)), mean.Total, mean.Code, mean.Written, mean.Task}; !reflect.DeepEqual(got, want) {
		t.Errorf("formgrader's count and means are %v, the gradebook's %v", got, want)
	}
	for i, sub := range s.get("/formgrader/api/submissions/ps0") {
		score := all[i].Score()
		got := []any{sub["student"], sub["score"], sub["code_score"], sub["written_score"], sub["task_score"], sub["needs_manual_grade"], sub["autograded"]}
		if want := []any{all[i].Student.ID, score.Total, score.Code, score.Written, score.Task, all[i].NeedsHand(), true}; !reflect.DeepEqual(got, want) {
			t.Errorf("formgrader has %v, the gradebook %v", got, want)
		}
	}
}

const (
	rightMean = "func Mean(x []float64) (float64, error) {\n\tif len(x) == 0 {\n\t\treturn 0, errors.New(\"none\")\n\t}\n\tsum := 0.0\n" +
		"\tfor _, v := range x {\n\t\tsum += v\n\t}\n\treturn sum / float64(len(x)), nil\n}"
	wrongMean = "func Mean(x []float64) (float64, error) { return 3, nil }"

	// redDot is an image of one pixel.
	redDot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
	strike = "<script>window.struck=1</script><img src=x onerror='window.struck=2'><div id='words' class='score'>x</div>"
)

// hostile is a student's id that the course takes and that ends strings and tags.
const hostile = `o'ben "-(window.struck=8)-"<img src=x onerror=window.struck=3>`

// An assistant marks by hand in formgrader, in Chromium. The marks and comments are in the
// gradebook that course grade writes, which keeps them when it grades again, the same and
// after a test was mended, and says whose marks changed and why. Formgrader's numbers are
// the gradebook's; no script of a student's runs in its pages, and Autograde is course grade.
func TestFormgrader(t *testing.T) {
	tier.Browser(t)
	d := newDesk(t)
	figure := &nbformat.Cell{ID: "figure-cell", Type: "code", Source: "import \"marginalia/plotting\"\n\n%%\nplotting.Show(\"rise\", plotting.New(\"\", plotting.Line([]float64{0, 1}, []float64{0, 2})), \"a rising line\")"}
	d.handIn("ada", 0, map[string]string{"mean": rightMean, "words": "It **moves**, $m < \\infty$."}, figure)
	d.handIn(hostile, 1, map[string]string{"mean": wrongMean, "words": strike + "\n\n# words\n\n[x](javascript:window.struck=5)"})
	d.course("grade", "ps0")
	// The grader takes no outputs from students. Should it ever, these do nothing either.
	d.edit(func(nb *nbformat.Notebook) {
		html, image := map[string]any{"text/html": strike}, map[string]any{"image/png": redDot}
		nb.Cells = append(nb.Cells, &nbformat.Cell{ID: "a", Type: "code", Source: "x", Outputs: []nbformat.Output{
			{Type: "display_data", Data: html, Metadata: map[string]any{}},
			{Type: "display_data", Data: image, Metadata: map[string]any{"image/png": map[string]any{"alt": "a dot", "width": "1 onload=window.struck=4"}}},
			{Type: "display_data", Data: map[string]any{"application/javascript": "window.struck=6"}, Metadata: map[string]any{}},
			{Type: "display_data", Data: map[string]any{"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg' onload='window.struck=7'/>"}, Metadata: map[string]any{}},
		}}, &nbformat.Cell{ID: "b", Type: "raw", Source: strike})
	}, "autograded", hostile, "ps0", "ps0.ipynb")

	s := d.formgrader()
	s.open("manage", "/formgrader/manage_assignments", `document.querySelector('.num-submissions')?.innerText.trim() === '2'`)
	s.open("manual", "/formgrader/gradebook", `document.querySelector('td.score')?.innerText.trim() === '2.5 / 6'`) // 3 and 2 points
	s.open("notebooks", "/formgrader/gradebook/ps0", `document.querySelector('.needs-manual-grade .glyphicon-ok')`)
	s.open("submissions", "/formgrader/gradebook/ps0/ps0", `document.querySelectorAll('#submissions_table tbody tr, tbody tr').length === 2`)
	s.open("students", "/formgrader/manage_students", `document.querySelectorAll('tbody tr').length >= 2`)
	s.statistics()

	// The page of a submission has the answer, the verdicts in words, the figure, the mark
	// scheme and the hidden tests.
	const loaded = `typeof formgrader !== 'undefined' && formgrader.grades?.loaded && formgrader.comments?.loaded`
	ada := s.submission("ada")
	s.open("ada", ada, loaded)
	s.untouched()
	s.wait("formulas", `document.querySelectorAll('mjx-container').length === 1`)
	s.wait("the figure", `(await Promise.all([...document.querySelectorAll('.output_png img')].map(i => i.decode().then(() => i.alt)))).join() === 'a rising line'`)
	for _, want := range []string{"sum += v", "3 of 3 points\npassed: several numbers", "BEGIN HIDDEN TESTS", "Half a point for the values"} {
		s.wait(want, fmt.Sprintf(`document.body.innerText.includes(%q)`, want))
	}
	s.enter("#words", "1.5")
	s.enter("#words_extra_credit", "0.5")
	s.enter("#words-comment", "Which one?")
	s.enter("#figure", "1")
	s.enter("#mean-test", "2.5") // over the grader's 3
	t.Log("marked", labtest.Picture(s.ctx, t.Name()+"-marked"))
	byHand := map[string]string{"mean": "- - - false ", "mean-test": "3 2.5 - false ", "words": "- 1.5 0.5 false Which one?", "figure": "- 1 - false "}
	if got := d.marks("ada"); !reflect.DeepEqual(got, byHand) {
		t.Errorf("ada's marks are %q, want %q", got, byHand)
	}
	s.statistics()

	// Pages of one whose name and answers are hostile: all is there as text, nothing runs,
	// and formgrader's fields are its own.
	ben := s.submission(hostile)
	s.open("hostile", ben, loaded)
	s.untouched()
	s.wait("the answer as text", `document.body.innerText.includes('<script>window.struck=1')`)
	s.enter("#words", "0.25")
	if got := d.marks(hostile)["words"]; got != "- 0.25 - false " {
		t.Errorf("the mark of %s is %q", hostile, got)
	}
	path := strings.NewReplacer(`"`, "%22", "<", "%3C", ">", "%3E", " ", "%20", "'", "%27").Replace(hostile)
	for i, page := range []string{"/formgrader/manage_students/" + path, "/formgrader/manage_students/" + path + "/ps0", "/formgrader/manage_submissions/ps0"} {
		s.open(fmt.Sprint("hostile-", i), page, `[...document.querySelectorAll('tbody tr')].some(r => r.innerText.includes('ps0') || r.innerText.includes('struck'))`)
		s.untouched()
	}

	// The same once more, then with a test that asks for more: ada's error has other words.
	if said := d.course("grade", "ps0"); !strings.Contains(said, "0 judged, 2 unchanged") {
		t.Errorf("grading the same again says\n%s", said)
	}
	d.edit(func(nb *nbformat.Notebook) {
		for _, c := range nb.Cells {
			c.Source = strings.Replace(c.Source, "if _, err := Mean(nil); err == nil {", "if _, err := Mean(nil); err == nil || err.Error() != \"the mean of no numbers\" {", 1)
		}
	}, "source", "ps0", "ps0.ipynb")
	said := d.course("grade", "ps0")
	// Three checks of a point each.
	for _, want := range []string{"ada, ps0/mean-test: 2 points, before 3; 2.5 given by hand still count: review them", "the assignment was changed", "now failed: no numbers"} {
		if !strings.Contains(said, want) {
			t.Errorf("grading with the mended test does not say %q:\n%s", want, said)
		}
	}
	byHand["mean-test"] = "2 2.5 - true "
	if got := d.marks("ada"); !reflect.DeepEqual(got, byHand) {
		t.Errorf("ada's marks are %q, want %q", got, byHand)
	}
	s.statistics()
	s.open("review", ada, loaded)
	s.wait("the request for a review", `$('#mean-test').parents('.nbgrader_cell').find('.mark-graded').is(':visible')`)
	s.do("resolving it", chromedp.Click(chromedp.Search(`//*[@id="mean-test"]/ancestor::*[contains(@class, "nbgrader_cell")]//button[contains(@class, "mark-graded")]`)))
	s.wait("the review to be over", `!$('#mean-test').hasClass('needs_manual_grade')`)
	if got := d.marks("ada")["mean-test"]; got != "2 2.5 - false " {
		t.Errorf("the mark after its review is %q", got)
	}

	// A later submission, graded by formgrader's button.
	d.handIn("ada", 30, map[string]string{"mean": strings.Replace(rightMean, "none", "the mean of no numbers", 1), "words": "It moves."})
	s.open("autograde", "/formgrader/manage_submissions/ps0", `document.querySelector('.glyphicon-flash')`)
	s.do("autograding", chromedp.Click(chromedp.Search(`//tr[contains(., "ada")]//a[.//*[contains(@class, "glyphicon-flash")]]`)))
	s.wait("the grader's word", `document.querySelector('.modal-body')?.innerText.includes('ada: 3 of 3 points')`)
	t.Log("autograded", labtest.Picture(s.ctx, t.Name()+"-autograded"))
	s.wait("the command that grades", `document.body.textContent.includes('marginalia course grade "ps0"')`)
	if got := d.marks("ada")["mean-test"]; got != "3 2.5 - true " {
		t.Errorf("the mark after another submission is %q", got)
	}
	s.statistics()
}
