//go:build browser

package formgrade_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"marginalia/internal/base/setup"
	"marginalia/internal/course/gradebook"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/kernel/jupyter/jupytertest"
	"marginalia/internal/testkit/must"
)

// A server is a running formgrader, with a window of a browser on it.
type server struct {
	labtest.Server
	d   *desk
	ctx context.Context
}

var address = regexp.MustCompile(`(http://127\.0\.0\.1:\d+)(/\S+)\?token=(\w+)`)

// formgrader starts course formgrade.
func (d *desk) formgrader() *server {
	d.t.Helper()
	return d.serve("/formgrader/manage_assignments", "course", "formgrade", "--course", d.dir)
}

// serve starts a command that starts JupyterLab on a page, and at the test's end interrupts it, as Ctrl-C does.
func (d *desk) serve(page string, args ...string) *server {
	t := d.t
	t.Helper()
	chromium, ok := setup.Chromium()
	if !ok {
		t.Fatal("there is no Chromium in PATH")
	}
	log := must.Get(os.Create(filepath.Join(t.TempDir(), "log"))).Or(t)
	marker := jupytertest.Marker()
	cmd := exec.Command(d.command, append(args, "--no-browser", "--port", labtest.Port(t))...)
	cmd.Env = append(os.Environ(), marker)
	cmd.Stdout, cmd.Stderr = log, log
	must.Do(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		if err := <-ended; err != nil {
			t.Errorf("%q, interrupted: %v", args, err)
		}
		jupytertest.AwaitNoStrays(t, marker)
		if said, _ := os.ReadFile(log.Name()); t.Failed() || bytes.Contains(said, []byte("Traceback")) {
			t.Errorf("%q said\n%s", args, said)
		}
	})
	s := &server{d: d}
	for deadline := time.Now().Add(labtest.Patience); s.URL == ""; time.Sleep(100 * time.Millisecond) {
		said, _ := os.ReadFile(log.Name())
		if m := address.FindSubmatch(said); m != nil {
			if s.URL, s.Token = string(m[1]), string(m[3]); string(m[2]) != page {
				t.Errorf("%q opens %s, want %s", args, m[2], page)
			}
		} else if len(ended) > 0 || time.Now().After(deadline) {
			t.Fatalf("%q has not started:\n%s", args, said)
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
	must.Do(s.d.t, err)
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
	s.do("typing into "+field, labtest.Keys(text+kb.Tab))
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
	must.Do(s.d.t, err)
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
