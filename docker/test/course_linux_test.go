//go:build browser

package test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// The cells of every lecture run in a container that has no network and can write
// to /tmp and its home alone, and its outputs are those that it holds.
func TestLecturesRunOffline(t *testing.T) {
	tier.Long(t)
	i := testImage(t)
	c := i.idle(t)
	out, err := c.exec(t, "sh", "-c", "cd /opt/marginalia && marginalia test notebooks/*.ipynb")
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
	t.Logf("%s", out)
}

// dockerfiles are the ones of README.md.
func dockerfiles(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, m := range regexp.MustCompile("(?s)```Dockerfile\n(.*?)```").FindAllStringSubmatch(readFile(t, "README.md"), -1) {
		all = append(all, m[1])
	}
	return all
}

// derive builds an image on this one, in place of an earlier one of the name.
func (i image) derive(t *testing.T, name, dockerfile string, files map[string]string, args ...string) image {
	t.Helper()
	dir := t.TempDir()
	files["Dockerfile"] = strings.Replace(dockerfile, "FROM marginalia:local", "FROM "+i.name, 1)
	for name, text := range files {
		path := filepath.Join(dir, name)
		testfile.Write(t, path, text)
	}
	name = "localhost/marginalia:" + name
	_, _ = i.builder.run(t.Context(), "rmi", "--force", name)
	args = append([]string{"bud", "--isolation", "chroot", "--format", "docker", "--layers=false", "--tag", name}, args...)
	must.Get(i.builder.run(t.Context(), append(args, dir)...)).Or(t)
	derived := must.Get(i.builder.open(t.Context(), name)).Or(t)
	return derived
}

// The first of README.md's ways to a course of one's own: notebooks that students
// get, and a package for their cells.
func TestOwnCourse(t *testing.T) {
	i := testImage(t)
	own := i.derive(t, "own", dockerfiles(t)[0], map[string]string{
		"course/week1/hello.ipynb": "a notebook",
		"ours/ours.go":             "package ours\n\nconst Answer = 42\n",
	})
	c := own.idle(t)
	if got, err := c.exec(t, "cat", "course/week1/hello.ipynb"); err != nil || got != "a notebook" {
		t.Errorf("the student's copy: %q, %v", got, err)
	}
	if got, err := c.exec(t, "python", "-c", runCell(`import ("fmt"; "marginalia/own/ours")

%%
fmt.Println(ours.Answer)`)); err != nil || got != "42" {
		t.Errorf("a cell with the department's package: %q, %v", got, err)
	}
	c.cannot(t, "echo > /opt/course/week1/hello.ipynb", "echo > /opt/marginalia/own/ours/ours.go")
}

// The second: a Go module from elsewhere, which cells then import with no network.
func TestOwnModule(t *testing.T) {
	i := testImage(t)
	proxy := t.TempDir()
	dir := filepath.Join(proxy, "example.org", "module", "@v")
	must.Do(t, os.MkdirAll(dir, 0o755))
	for d := dir; d != os.TempDir(); d = filepath.Dir(d) {
		must.Do(t, os.Chmod(d, 0o755))
	}
	const version, mod = "v1.2.3", "module example.org/module\n\ngo 1.26\n"
	for name, text := range map[string]string{"list": version + "\n", version + ".info": `{"Version":"` + version + `"}`, version + ".mod": mod} {
		testfile.Write(t, filepath.Join(dir, name), text)
	}
	f := must.Get(os.Create(filepath.Join(dir, version+".zip"))).Or(t)
	z := zip.NewWriter(f)
	for name, text := range map[string]string{"go.mod": mod, "module.go": "package module\n\nconst Answer = 43\n"} {
		w := must.Get(z.Create("example.org/module@" + version + "/" + name)).Or(t)
		must.Get(w.Write([]byte(text))).Or(t)
	}
	must.Do(t, z.Close())
	must.Do(t, f.Close())
	text := dockerfiles(t)[1]
	ours := strings.Replace(text, "GOPROXY=https://proxy.example", "GONOSUMDB=example.org GOPROXY=file:///proxy", 1)
	if ours == text {
		t.Fatalf("README.md names no proxy in %q", text)
	}
	c := i.derive(t, "own", ours, map[string]string{}, "--volume", proxy+":/proxy:ro").idle(t)
	if got, err := c.exec(t, "python", "-c", runCell(`import ("fmt"; "example.org/module")

%%
fmt.Println(module.Answer)`)); err != nil || got != "43" {
		t.Errorf("a cell with the module: %q, %v", got, err)
	}
}

// runCell is a Python program that runs a cell as JupyterLab does, and prints what it prints.
func runCell(source string) string {
	return `
from jupyter_client.manager import start_new_kernel

manager, client = start_new_kernel(startup_timeout=1200, kernel_name="gonb")
def output(message):
    content = message["content"]
    assert message["msg_type"] != "error", content
    print(content.get("text", ""), end="")
client.execute_interactive("""` + source + `""", output_hook=output, timeout=1200)
client.stop_channels()
manager.shutdown_kernel(now=True)
`
}
