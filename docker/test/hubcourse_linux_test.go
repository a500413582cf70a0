//go:build browser

package test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/course"
	"marginalia/internal/course/formgrade"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// TestHubCourse is a course on JupyterHub as docker/hub configures it, with a teacher and two
// students: the teacher releases an assignment in formgrader, the students fetch it, solve it
// and hand it in from their own JupyterLab, and the teacher collects, grades, comments and
// gives feedback, which each student reads. No student gets at the source, at what the other
// has handed in or got back, or at formgrader, nor hands in for the other. Servers are
// processes, so links stand for what is mounted into containers (access_config.py).
func TestHubCourse(t *testing.T) {
	tier.Browser(t)
	root := repotest.Root(t)
	python := must.Get(formgrade.Nbgrader().Python(t.Context(), nil)).Or(t)
	command := filepath.Join(t.TempDir(), "marginalia")
	build := exec.Command("go", "build", "-o", command, ".")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir := filepath.Join(t.TempDir(), "ml")
	must.Do(t, course.New(dir))
	h := newLocalHub(t, root)
	h.settings["python"] = python // with nbgrader
	h.settings["docker"], h.settings["command"], h.settings["environment"] = filepath.Join(root, "docker"), command, caches(t)
	h.env = append(h.env, "MARGINALIA_ASSIGNMENTS="+dir)
	defer h.start(t, false)()
	who := map[string]*visitor{}
	for _, name := range people {
		v := h.login(t, name)
		v.try(t, http.MethodPost, "/hub/api/users/"+name+"/server", nil, http.StatusCreated, http.StatusAccepted)
		who[name] = v
	}
	for name, v := range who {
		v.ready(t, name)
	}
	teacher, ada, ben := who["teacher"], who["student01"], who["student02"]

	// What is mounted into containers, with the mode.
	h.mounted(t, "teacher", dir+" /home/learner/assignments rw")
	for _, name := range people[1:] {
		h.mounted(t, name, dir+"/exchange/ml/outbound /srv/exchange/ml/outbound ro",
			dir+"/exchange/ml/inbound/"+name+" /srv/exchange/ml/inbound rw", dir+"/feedback/"+name+" /home/learner/feedback ro")
	}

	teacher.press(t, "assignment/ps0/assign")
	teacher.press(t, "assignment/ps0/release")
	answers := map[string]string{
		"student01": "func Mean(x []float64) (float64, error) {\n\tif len(x) == 0 {\n\t\treturn 0, errors.New(\"none\")\n\t}\n\ts := 0.0\n\tfor _, v := range x {\n\t\ts += v\n\t}\n\treturn s / float64(len(x)), nil\n}",
		"student02": "func Mean(x []float64) (float64, error) { return 3, nil }",
	}
	// The first student clicks in Chromium; for the other the test calls the server.
	lab := h.sitDown(t, ada.name, "lab", ".lm-MenuBar-item")
	labtest.Choose(lab, t, "Nbgrader", "nbgrader:open-assignment-list")
	for _, v := range []*visitor{ada, ben} {
		if listed := v.assignments(t, "", http.MethodGet); !strings.Contains(listed, `"status": "released"`) {
			t.Fatalf("%s sees the assignments %s", v.name, listed)
		}
		if v == ada {
			click(lab, t, "#released_assignments_list", "Fetch")
			labtest.Wait(lab, t, "the fetched assignment", `document.querySelector('#fetched_assignments_list').innerText.includes('ps0')`)
			t.Log(labtest.Picture(lab, "hub-fetched"))
		} else {
			v.assignments(t, "/fetch", http.MethodPost)
		}
		body := v.try(t, http.MethodGet, v.at("ps0/ps0.ipynb"), nil, http.StatusOK)
		for _, secret := range []string{"the mean of no numbers\\\")", "BEGIN HIDDEN", "Half a point", "The mean moves by about"} {
			if strings.Contains(body, secret) {
				t.Errorf("%s fetches a notebook with %q", v.name, secret)
			}
		}
		v.solve(t, body, answers[v.name])
		if v == ada {
			click(lab, t, "#fetched_assignments_list", "Submit")
			labtest.Wait(lab, t, "the assignment to be handed in", `document.querySelector('#submitted_assignments_list').innerText.includes('ps0')`)
			t.Log(labtest.Picture(lab, "hub-submitted"))
		} else if listed := v.assignments(t, "/submit", http.MethodPost); !strings.Contains(listed, `"status": "submitted"`) {
			t.Errorf("%s hands in: %s", v.name, listed)
		}
	}
	// The first student also writes a submission of the other's.
	forged := "srv/exchange/ml/inbound/student02+ps0+2030-01-01 00:00:00.000000 UTC+x"
	ada.try(t, http.MethodPut, ada.at(forged), object{"type": "directory"}, http.StatusCreated)
	ada.try(t, http.MethodPut, ada.at(forged+"/ps0.ipynb"), object{"type": "file", "format": "text", "content": "{}"}, http.StatusCreated)

	// Nothing of formgrader's in the students' servers, and nothing of others in their folders.
	for _, v := range []*visitor{ada, ben} {
		for _, path := range []string{"formgrader/manage_assignments", "formgrader/api/assignments", "api/contents/assignments", "api/contents/srv/exchange/ml/inbound/../../../../../../feedback"} {
			v.try(t, http.MethodGet, "/user/"+v.name+"/"+path, nil, http.StatusNotFound, http.StatusForbidden, http.StatusBadRequest)
		}
		if page := v.try(t, http.MethodGet, "/user/"+v.name+"/lab", nil, http.StatusOK); !strings.Contains(page, `"@jupyter/nbgrader:formgrader"`) || !strings.Contains(page, `"@jupyter/nbgrader:create-assignment"`) {
			t.Errorf("JupyterLab of %s has formgrader or Create Assignment", v.name)
		}
		// A listing has each file's name and its path: four in all for the first student's own submission and the forged one.
		if there := v.try(t, http.MethodGet, v.at("srv/exchange/ml/inbound"), nil, http.StatusOK); strings.Count(there, "+ps0+") != 4 && v == ada || strings.Count(there, "student01") > 0 && v == ben {
			t.Errorf("%s finds handed in: %s", v.name, there)
		}
		v.try(t, http.MethodGet, "/user/teacher/formgrader/api/assignments", nil, http.StatusForbidden, http.StatusNotFound)
	}

	// The teacher has formgrader in a page of its own: what may be framed within JupyterLab may
	// be framed by any student's page on this host (JupyterHub's manual, "Web security").
	desk := h.sitDown(t, "teacher", "formgrader/manage_assignments", "td.name a")
	t.Log(labtest.Picture(desk, "hub-formgrader"))
	r := must.Get(teacher.browser.Get(h.url + "/user/teacher/formgrader/manage_assignments")).Or(t)
	r.Body.Close()
	if got := r.Header.Get("Content-Security-Policy"); r.StatusCode != http.StatusOK || !strings.Contains(got, "frame-ancestors 'none'") {
		t.Errorf("formgrader: %s, may be framed: %q", r.Status, got)
	}

	// Collecting names the forgery, and takes the others.
	if said := teacher.button(t, "assignment/ps0/collect"); said.Success || !strings.Contains(said.Error, "it says to be of student02, and not of student01") {
		t.Errorf("collecting says %+v", said)
	}
	scores := map[string]float64{}
	for _, student := range people[1:] {
		teacher.press(t, "submission/ps0/"+student+"/autograde")
	}
	var listed []struct {
		Student, ID string
		Score       float64
	}
	if err := json.Unmarshal([]byte(teacher.try(t, http.MethodGet, "/user/teacher/formgrader/api/submitted_notebooks/ps0/ps0", nil, http.StatusOK)), &listed); err != nil {
		t.Fatal(err)
	}
	for _, s := range listed {
		scores[s.Student] = s.Score
		var comments []struct{ ID, Name string }
		if err := json.Unmarshal([]byte(teacher.try(t, http.MethodGet, "/user/teacher/formgrader/api/comments?submission_id="+s.ID, nil, http.StatusOK)), &comments); err != nil {
			t.Fatal(err)
		}
		for _, c := range comments {
			if c.Name == "words" {
				teacher.try(t, http.MethodPut, "/user/teacher/formgrader/api/comment/"+c.ID, object{"manual_comment": "Read this, " + s.Student}, http.StatusOK)
			}
		}
	}
	if scores["student01"] != 3 || scores["student02"] != 2 { // three checks, a point each; the constant 3 fails one
		t.Errorf("scores %v, want 3 and 2", scores)
	}
	for _, v := range []*visitor{ada, ben} {
		teacher.press(t, "assignment/ps0/"+v.name+"/generate_feedback")
		page := v.try(t, http.MethodGet, v.at("feedback/ps0/ps0.html"), nil, http.StatusOK)
		if !strings.Contains(page, "Read this, "+v.name) || strings.Contains(page, "BEGIN HIDDEN") {
			t.Errorf("%s reads the feedback\n%s", v.name, page)
		}
		v.try(t, http.MethodGet, v.at("feedback/"+people[1]), nil, http.StatusNotFound)
	}
}

// sitDown opens a page of somebody's server in a browser of their own, by way of the hub's
// login, and waits until the element seen is visible.
func (h *localHub) sitDown(t *testing.T, name, page, seen string) context.Context {
	t.Helper()
	ctx := labtest.Window(t, labtest.Chromium(t))
	if err := chromedp.Do(ctx, chromedp.Steps(
		chromedp.Navigate(h.url+"/hub/login?next=/hub/user-redirect/"+page),
		chromedp.SendKeys(chromedp.CSS("#username_input"), name),
		chromedp.SendKeys(chromedp.CSS("#password_input"), h.settings["password"].(string)+kb.Enter),
		chromedp.WaitVisible(chromedp.CSS(seen)),
	)); err != nil {
		t.Fatalf("%s logs in: %v%s", name, err, labtest.Picture(ctx, t.Name()+"-failed"))
	}
	return ctx
}

// click clicks a button by its text, once it is there.
func click(ctx context.Context, t *testing.T, within, text string) {
	t.Helper()
	labtest.Wait(ctx, t, text, fmt.Sprintf(`(() => {
		const b = [...document.querySelectorAll(%q + ' button')].find(b => b.innerText.trim() === %q);
		b?.click();
		return b;
	})()`, within, text))
}

// caches are the variables by which a server grades with what is compiled already, as in the
// image.
func caches(t *testing.T) map[string]string {
	t.Helper()
	dir := must.Get(os.UserCacheDir()).Or(t)
	env := map[string]string{}
	out, err := exec.CommandContext(t.Context(), "go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOSUMDB", "GONOSUMDB", "GOFLAGS").Output()
	if err == nil {
		err = json.Unmarshal(out, &env)
	}
	if err != nil {
		t.Fatal(err)
	}
	env["XDG_CACHE_HOME"] = dir
	return env
}

// mounted checks what is mounted into somebody's server: "FOLDER PATH MODE" for each mount.
func (h *localHub) mounted(t *testing.T, name string, want ...string) {
	t.Helper()
	var volumes map[string]struct{ Bind, Mode string }
	text, err := os.ReadFile(filepath.Join(h.homes, name+".json"))
	if err == nil {
		err = json.Unmarshal(text, &volumes)
	}
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for from, to := range volumes {
		got = append(got, fmt.Sprintf("%s %s %s", from, to.Bind, to.Mode))
	}
	slices.Sort(got)
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("into the server of %s are mounted %q, want %q", name, got, want)
	}
}

// at is the address of a file in the visitor's home.
func (v *visitor) at(file string) string {
	return "/user/" + v.name + "/api/contents/" + strings.ReplaceAll(file, " ", "%20")
}

// assignments is a request that nbgrader's list of assignments makes to the visitor's server.
func (v *visitor) assignments(t *testing.T, action, method string) string {
	t.Helper()
	var content any
	if method == http.MethodPost {
		content = object{"course_id": "ml", "assignment_id": "ps0"}
	}
	return v.try(t, method, "/user/"+v.name+"/assignments"+action+"?course_id=ml&assignment_id=ps0", content, http.StatusOK)
}

// said is what formgrader answers to a button.
type said struct {
	Success    bool
	Error, Log string
}

func (v *visitor) button(t *testing.T, path string) (answer said) {
	t.Helper()
	body := v.try(t, http.MethodPost, "/user/"+v.name+"/formgrader/api/"+path, nil, http.StatusOK)
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		t.Fatalf("%s: %v: %s", path, err, body)
	}
	return answer
}

// press presses a button, and ends the test if formgrader reports a failure.
func (v *visitor) press(t *testing.T, path string) {
	t.Helper()
	if answer := v.button(t, path); !answer.Success {
		t.Fatalf("%s: %s\n%s", path, answer.Error, answer.Log)
	}
}

// solve saves the fetched notebook with answers to the first question and to the written one.
func (v *visitor) solve(t *testing.T, fetched, answer string) {
	t.Helper()
	var model map[string]any
	must.Do(t, json.Unmarshal([]byte(fetched), &model))
	solved := 0
	for _, c := range model["content"].(map[string]any)["cells"].([]any) {
		cell := c.(map[string]any)
		meta, _ := cell["metadata"].(map[string]any)["nbgrader"].(map[string]any)
		switch meta["grade_id"] {
		case "mean":
			cell["source"] = answer
			solved++
		case "words":
			cell["source"] = "It moves, says " + v.name
			solved++
		}
	}
	if solved != 2 {
		t.Fatalf("%s finds %d questions, want 2", v.name, solved)
	}
	v.try(t, http.MethodPut, v.at("ps0/ps0.ipynb"), object{"type": "notebook", "format": "json", "content": model["content"]}, http.StatusOK)
}
