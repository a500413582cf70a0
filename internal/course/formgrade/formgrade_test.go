//go:build browser

package formgrade_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/tier"
)

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
	quick := tier.Quick(t)
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

	if quick {
		return
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
