package lab

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// app is a small app of JupyterLite, by the paths of its files in the archive.
var app = map[string]string{
	"config-utils.js": "1", "index.html": "<html>", "jupyter-lite.json": `{"jupyter-config-data": {"appName": "JupyterLite", "appUrl": "./lab"}}`,
	"lab/index.html":      "<html><head><meta charset=\"utf-8\">\n<link rel=\"manifest\" href=\"m\"><script id=\"data\" type=\"application/json\">{}</script><script>run()</script>",
	"build/lab/bundle.js": "2", "build/1.ab.js": "3", "build/1.ab.js.map": "4", "build/themes/dark/index.css": "5", "build/tree/bundle.js": "6",
	"icon-120x120.png": "0", "lab/favicon.ico": "0", "build/old.woff": "7", "build/a.woff": "8", "build/a.woff2": "9", "build/a.ttf": "10", "tree/index.html": "11", "service-worker.js": "12",
}

// archived writes an archive with files.
func archived(t *testing.T, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		must.Do(t, w.WriteHeader(&tar.Header{Name: "package/" + name, Mode: 0o644, Size: int64(len(files[name]))}))
		must.Get(w.Write([]byte(files[name]))).Or(t)
	}
	must.Do(t, w.Close())
	must.Do(t, z.Close())
	file := filepath.Join(t.TempDir(), "app.tgz")
	testfile.Write(t, file, b.String())
	return file
}

// The lab has of the app what it needs, the extensions with their settings, and the contents with a list of each folder; the
// same at each run.
func TestFiles(t *testing.T) {
	o := Options{Archive: archived(t, app), Contents: map[string][]byte{"a.ipynb": []byte("{}"), "exercises/b.ipynb": []byte("{ }"), "mlkit/svm/kkt.go": []byte("package svm")},
		Figures: Extension{"package.json": `{"name": "figures", "jupyterlab": {"_build": {"load": "static/x.js", "mimeExtension": "./m"}}}`, "static/x.js": "x"}}
	files := must.Get(Files(o)).Or(t)
	if again := must.Get(Files(o)).Or(t); !reflect.DeepEqual(files, again) {
		t.Error("a second run makes other files")
	}
	want := []string{"api/contents/all.json", "api/contents/exercises/all.json", "api/contents/mlkit/all.json", "api/contents/mlkit/svm/all.json", "api/translations/all.json", "api/translations/en.json",
		"build/1.ab.js", "build/a.woff2", "build/lab/bundle.js", "build/old.woff", "build/schemas/all_federated.json", "build/themes/dark/index.css", "config-utils.js",
		"extensions/figures/package.json", "extensions/figures/static/x.js",
		"extensions/marginalia-kernel/package.json", "extensions/marginalia-kernel/static/files.js", "extensions/marginalia-kernel/static/given.js", "extensions/marginalia-kernel/static/kernel.js", "extensions/marginalia-kernel/static/remoteEntry.js",
		"files/a.ipynb", "files/exercises/b.ipynb", "files/mlkit/svm/kkt.go", "icon-120x120.png", "index.html", "jupyter-lite.json", "lab/index.html"}
	if got := sorted(files); !slices.Equal(got, want) {
		t.Errorf("the files are\n%q\nwant\n%q", got, want)
	}
	var settings struct {
		Data struct {
			Kernel     string           `json:"defaultKernelName"`
			URL        string           `json:"appUrl"`
			Extensions []map[string]any `json:"federated_extensions"`
		} `json:"jupyter-config-data"`
	}
	must.Do(t, json.Unmarshal(files["jupyter-lite.json"], &settings))
	if d := settings.Data; d.Kernel != "gonb" || d.URL != "./lab" || len(d.Extensions) != 2 || d.Extensions[0]["name"] != "figures" || d.Extensions[1]["extension"] != "./extension" {
		t.Errorf("the settings are %s", files["jupyter-lite.json"])
	}
	// printf 'run()' | openssl dgst -sha256 -binary | base64
	if page := string(files["lab/index.html"]); !strings.Contains(page, "'sha256-AvyuiL0SD1mVY3NNxR+V2uo+lhk6RMFrytWmRt6CrJQ='") || strings.Contains(page, "script-src 'self' 'unsafe-inline'") || strings.Contains(page, "manifest") {
		t.Errorf("the page is %s", page)
	}
	var root model
	must.Do(t, json.Unmarshal(files["api/contents/all.json"], &root))
	var listed []string
	for _, m := range root.Content {
		listed = append(listed, m.Type+" "+m.Path)
	}
	if want := []string{"notebook a.ipynb", "directory exercises", "directory mlkit"}; !slices.Equal(listed, want) {
		t.Errorf("the list of the folder is %q, want %q", listed, want)
	}
	if root.Content[0].Writable != true || root.Content[2].Writable != false {
		t.Errorf("notebooks can be written, and the library can't: %+v", root.Content)
	}
}

// Of a notebook, the Markdown of outputs is in one piece, and nothing else is other.
func TestJoined(t *testing.T) {
	const lines = `{"cells":[{"outputs":[{"data":{"text/markdown":["# a\\n","b"],"text/plain":["1"]}},{"text":["c"]}],"source":["d"]},{}],"n":1.50}`
	const want = `{"cells":[{"outputs":[{"data":{"text/markdown":"# a\\nb","text/plain":["1"]}},{"text":["c"]}],"source":["d"]},{}],"n":1.50}`
	if got := string(must.Get(joined([]byte(lines))).Or(t)); got != want {
		t.Errorf("the notebook is\n%s\nwant\n%s", got, want)
	}
	const plain = `{ "cells": [{"outputs": [{"data": {"text/markdown": "a < b"}}]}] }`
	if got := string(must.Get(joined([]byte(plain))).Or(t)); got != plain {
		t.Errorf("a notebook with nothing to join becomes\n%s", got)
	}
	if _, err := joined([]byte("{")); err == nil {
		t.Error("half a notebook is one")
	}
}

// An archive that is no app of JupyterLite, or of another form, is an error that says so.
func TestOtherApp(t *testing.T) {
	without := func(name string) map[string]string {
		other := maps.Clone(app)
		delete(other, name)
		return other
	}
	with := func(name, text string) map[string]string {
		other := maps.Clone(app)
		other[name] = text
		return other
	}
	none := filepath.Join(t.TempDir(), "none.tgz")
	text := filepath.Join(t.TempDir(), "text.tgz")
	testfile.Write(t, text, "this is text, and no archive")
	figures := Extension{"package.json": `{"name": "figures", "jupyterlab": {"_build": {"load": "x.js"}}}`}
	for _, tt := range []struct {
		archive string
		figures Extension
		want    string
	}{
		{none, figures, "no such file"},
		{text, figures, "gzip: invalid header"},
		{archived(t, without("config-utils.js")), figures, "has no config-utils.js"},
		{archived(t, with("jupyter-lite.json", "{}")), figures, "jupyter-lite.json has no jupyter-config-data"},
		{archived(t, with("jupyter-lite.json", "{")), figures, "jupyter-lite.json: unexpected end"},
		{archived(t, with("lab/index.html", "<html>")), figures, "has no charset"},
		{archived(t, app), Extension{}, "package.json of an extension"},
		{archived(t, app), Extension{"package.json": `{"name": "figures"}`}, `the extension "figures" names no script`},
	} {
		if _, err := Files(Options{Archive: tt.archive, Figures: tt.figures}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("the error is %v, want one with %q", err, tt.want)
		}
	}
}

// The policy admits one address. What would end it, or would admit more, is escaped or refused.
func TestConnect(t *testing.T) {
	for address, want := range map[string]string{
		"https://a.org/in":            "; connect-src &#39;self&#39; https://a.org/in\">",
		"https://a.org:8443/in?x=1;y": "; connect-src &#39;self&#39; https://a.org:8443/in\">",
		"https://a.org/i;n, 'u'":      "; connect-src &#39;self&#39; https://a.org/i%3Bn%2C%20%27u%27\">",
		"":                            "frame-src 'self' data: blob:\">",
	} {
		page := string(must.Get(guarded([]byte(app["lab/index.html"]), address)).Or(t))
		if !strings.Contains(page, want) {
			t.Errorf("%s: the page is %s, want %s", address, page, want)
		}
	}
	for _, address := range []string{"https://a.org", "https://a.org/", "ftp://a.org/in", "in", "https://*/in", "https://u@a.org/in", "https://a.org;x/in"} {
		if _, err := guarded([]byte(app["lab/index.html"]), address); err == nil {
			t.Errorf("%s is admitted", address)
		}
	}
}
