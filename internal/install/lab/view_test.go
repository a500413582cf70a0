//go:build browser

package lab

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/base/repo"
	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// startOnLectures starts JupyterLab on the lectures of the repository at root, where nobody has notebooks.
func startOnLectures(t *testing.T) (lab *server, root string) {
	t.Helper()
	tier.Browser(t)
	root = repotest.Root(t)
	own := filepath.Join(root, "notebooks", OwnFolder)
	if _, err := os.Stat(own); err == nil {
		t.Skipf("there is a %s with somebody's notebooks", own)
	}
	t.Cleanup(func() { os.RemoveAll(own) })
	return startLab(t, root, ""), root
}

// On the lectures the index is open, what tests need is hidden, Go alone is offered, and
// what is new or copied comes to a folder of its own.
func TestLecturesView(t *testing.T) {
	server, root := startOnLectures(t)
	call := func(method, path, body string) string {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, server.Page(path), strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		resp := must.Get(http.DefaultClient.Do(req)).Or(t)
		defer resp.Body.Close()
		var got json.RawMessage
		must.Do(t, json.NewDecoder(resp.Body).Decode(&got))
		return string(got)
	}
	for body, want := range map[string]string{`{"type":"notebook"}`: "own/Untitled.ipynb", `{"copy_from":"01-perceptron.ipynb"}`: "own/lectures/01-perceptron-Copy1.ipynb", `{"copy_from":"exercises/01-perceptron.ipynb"}`: "own/exercises/01-perceptron-Copy1.ipynb"} {
		var made struct{ Path string }
		if err := json.Unmarshal([]byte(call("POST", "/api/contents/", body)), &made); err != nil || made.Path != want {
			t.Errorf("%s makes %q, error %v, want %q", body, made.Path, err, want)
		}
	}
	var list struct{ Content []struct{ Name string } }
	must.Do(t, json.Unmarshal([]byte(call("GET", "/api/contents/", "")), &list))
	var names []string
	for _, c := range list.Content {
		names = append(names, c.Name)
	}
	if !slices.Contains(names, repo.Index) || slices.ContainsFunc(names, func(n string) bool { return strings.HasSuffix(n, ".go") || n == "figures.sum" || n == "celltests" }) {
		t.Errorf("the list of files is %q", names)
	}
	// What the lectures link to in the library can be read and not changed.
	for path, begins := range map[string]string{"mlkit/svm/classifier.go": "package svm", "docs/module.md": "# mlkit in a"} {
		var file struct {
			Content  string
			Writable bool
		}
		if err := json.Unmarshal([]byte(call("GET", "/api/contents/"+path, "")), &file); err != nil || !strings.Contains(file.Content, begins) || file.Writable {
			t.Errorf("%s: writable %v, error %v, begins\n%.200s", path, file.Writable, err, file.Content)
		}
		for _, request := range [][2]string{{"PUT", `{"type":"file","format":"text","content":""}`}, {"PATCH", `{"path":"own/mine"}`}, {"DELETE", ""}} {
			if answer := call(request[0], "/api/contents/"+path, request[1]); !strings.Contains(answer, "which JupyterLab only shows") {
				t.Errorf("%s of %s: the answer is %s", request[0], path, answer)
			}
		}
	}
	for _, request := range [][2]string{{"PATCH", `{"path":"mine.ipynb"}`}, {"DELETE", ""}} {
		if answer := call(request[0], "/api/contents/01-perceptron.ipynb", request[1]); !strings.Contains(answer, "is a lecture and stays") {
			t.Errorf("%s of a lecture: the answer is %s", request[0], answer)
		}
		for _, folder := range []string{"exercises", "own"} {
			if answer := call(request[0], "/api/contents/"+folder, request[1]); !strings.Contains(answer, "the folder "+folder+" stays") {
				t.Errorf("%s of %s: the answer is %s", request[0], folder, answer)
			}
		}
	}
	// A copy that is an empty file does not stand in the lecture's place.
	const emptied = "02-least-squares.ipynb"
	testfile.Write(t, filepath.Join(root, "notebooks", OwnFolder, "lectures", emptied), "")
	if answer := call("GET", "/api/contents/"+emptied, ""); !strings.Contains(answer, `"cells"`) {
		t.Errorf("%s, whose copy is empty: the answer is %.300s", emptied, answer)
	}
	for _, more := range []string{"", `,"chunk":1`} { // "{}" in base64
		if answer := call("PUT", "/api/contents/01-perceptron.ipynb", `{"type":"file","format":"base64","name":"01-perceptron.ipynb","content":"e30="`+more+"}"); !strings.Contains(answer, "give what you upload another name") {
			t.Errorf("an upload over a lecture: the answer is %s", answer)
		}
	}
	for _, path := range []string{"original/../go.mod", "original/own/.lock", "mlkit/../go.mod", "mlkit/../../etc/hostname", "internal/install/lab/lab.go", "go.mod"} {
		resp := must.Get(http.Get(server.Page("/api/contents/" + path))).Or(t)
		if resp.Body.Close(); resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s: the answer is %s", path, resp.Status)
		}
	}
	var specs struct{ Kernelspecs map[string]any }
	if err := json.Unmarshal([]byte(call("GET", "/api/kernelspecs", "")), &specs); err != nil || len(specs.Kernelspecs) != 1 || specs.Kernelspecs["gonb"] == nil {
		t.Errorf("kernels %v, error %v, want Go alone", specs.Kernelspecs, err)
	}

	ctx := labtest.Chromium(t)
	if err := chromedp.Do(ctx, chromedp.Steps(
		chromedp.Navigate(server.Page("/")),
		chromedp.WaitVisible(chromedp.CSS(`.jp-Notebook .jp-RenderedMarkdown h1`)),
		chromedp.WaitVisible(chromedp.CSS(`.jp-DirListing-item[title*="01-perceptron.ipynb"]`)),
	)); err != nil {
		t.Fatalf("the page that opens: %v%s", err, labtest.Picture(ctx, t.Name()+"-failed"))
	}
	t.Log(labtest.Picture(ctx, t.Name()))
	labtest.Open(ctx, t, server.Server, "01-perceptron.ipynb")
	labtest.Wait(ctx, t, "the folded imports", `document.querySelector('.jp-Notebook .jp-CodeCell .jp-InputPlaceholder, .jp-Notebook .jp-CodeCell .jp-Placeholder') !== null`)
	t.Log(labtest.Picture(ctx, t.Name()+"-lecture"))
	labtest.Wait(ctx, t, "a link to the library", `document.querySelector('.jp-Notebook a[href*="mlkit/perceptron/perceptron.go"]') ||
		(document.querySelector('.jp-Notebook .jp-WindowedPanel-outer').scrollTop += 1e6, false)`)
	t.Log(labtest.Picture(ctx, t.Name()+"-calls"))
	labtest.Wait(ctx, t, "the file of the library", `document.querySelector('.jp-FileEditor')?.textContent.includes('package perceptron') ||
		(document.querySelector('.jp-Notebook a[href*="mlkit/perceptron/perceptron.go"]')?.click(), await new Promise(r => setTimeout(r, 1000)), false)`)
	t.Log(labtest.Picture(ctx, t.Name()+"-library"))
}
