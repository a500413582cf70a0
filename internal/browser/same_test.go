//go:build browser

package browser_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/browser/manifest"
	"marginalia/internal/browser/toolchain"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// A pair runs the same tool twice: Go's own on this computer, and that of pages in Chromium.
type pair struct {
	*kernel
	dir  string             // of the files here
	here *manifest.Manifest // for WebAssembly, with whole archives
	page *manifest.Manifest
}

// runInPage is JavaScript that runs a tool with files, and returns what it printed and the hash of what
// it wrote to /build/out. It does so three times: at once, and with a wait, from which it goes on twice.
const runInPage = `(async (ask) => {
	const { put, get, files, devices } = await import("/files.js"), { program, bytes } = await import("/store.js"), { forget, rested } = await import("/resting.js");
	await import("/wasm_exec.js");
	let said = "";
	devices.set(1, { write: (data) => { said += new TextDecoder().decode(data); } }).set(2, devices.get(1));
	for (const [path, text] of Object.entries(ask.texts)) put(path, new TextEncoder().encode(text));
	for (const { name, parts } of ask.bundles) {
		const content = await bytes(location.origin, name);
		let at = 0;
		for (const part of parts) put("/go/" + part.name, content.subarray(at, at += part.size));
	}
	for (const name of ask.files) if (!get("/go/" + name)) put("/go/" + name, await bytes(location.origin, name));
	const module = await program(location.origin, ask.tool);
	const create = async () => {
		const go = Object.assign(new Go(), { argv: ask.args, env: { GOOS: "js", GOARCH: "wasm", GOROOT: "/go", TMPDIR: "/tmp" } });
		return { go, instance: await WebAssembly.instantiate(module, go.importObject) };
	};
	const once = async () => {
		const { go, instance } = await create();
		let status = 0;
		go.exit = (code) => { status = code; };
		await go.run(instance);
		return status;
	};
	const runs = [];
	for (const run of [once, () => rested(ask.tool, "", create), () => rested(ask.tool, "", create)]) {
		said = "";
		files.delete("/build/out");
		const status = await run();
		const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", get("/build/out") ?? new Uint8Array(0)));
		runs.push({ said, status: status ?? -1, sum: [...sum].map((b) => b.toString(16).padStart(2, "0")).join("") });
	}
	forget(ask.tool); // the next has other packages
	return JSON.stringify(runs);
})(%s)`

// config is an importcfg for packages whose files are in a folder.
func config(m *manifest.Manifest, dir string, paths []string, object bool) (text string, files []string) {
	for _, path := range paths {
		f := m.Packages[path].Export
		if object {
			f = m.Packages[path].Object
		}
		files = append(files, f.Name)
		text += fmt.Sprintf("packagefile %s=%s\n", path, filepath.Join(dir, f.Name))
	}
	return text, files
}

// same runs a tool on texts in both places and compares all bytes of what it writes. args name the
// texts and out, which lie in a folder that %s stands for. The object in inPage's folder is that of
// the tool's last run.
func (p *pair) same(what, tool string, imports []string, texts map[string]string, args ...string) {
	p.t.Helper()
	object := tool == "link"
	at := func(dir string) (list []string) {
		for _, arg := range args {
			list = append(list, strings.ReplaceAll(arg, "%s", dir))
		}
		return list
	}
	text, _ := config(p.here, "", imports, object)
	testfile.Write(p.t, filepath.Join(p.dir, "importcfg"), text)
	for name, text := range texts {
		testfile.Write(p.t, filepath.Join(p.dir, name), text)
	}
	cmd := exec.CommandContext(p.t.Context(), "go", append([]string{"tool", tool}, at(p.dir)...)...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("%s: %s %s: %v\n%s", what, tool, args, err, out)
	}
	want := must.Get(os.ReadFile(filepath.Join(p.dir, "out"))).Or(p.t)
	inPage := map[string]string{}
	for name, text := range texts {
		inPage["/build/"+name] = text
	}
	var files []string
	inPage["/build/importcfg"], files = config(p.page, "/go", imports, object)
	bundles := []manifest.Bundle{}
	if object {
		bundles = p.page.Bundles
	}
	ask := must.Get(json.Marshal(map[string]any{"tool": p.page.Tools[tool].Name, "args": append([]string{tool}, at("/build")...), "texts": inPage, "files": files, "bundles": bundles})).Or(p.t)
	var runs []struct {
		Said, Sum string
		Status    int
	}
	must.Do(p.t, json.Unmarshal([]byte(labtest.Value[string](p, p.t, fmt.Sprintf(runInPage, ask))), &runs))
	for i, got := range runs {
		if sum := sha256.Sum256(want); got.Sum != hex.EncodeToString(sum[:]) || got.Said != "" || got.Status != 0 {
			p.t.Errorf("%s: %s writes %d bytes here, and others in a page in its run %d: exit status %d, it says %q", what, tool, len(want), i+1, got.Status, got.Said)
		}
	}
}

// TestSameBytes compiles packages and links programs with the tools of a page, which leave out much,
// and with Go's own.
func TestSameBytes(t *testing.T) {
	tier.Browser(t)
	root := repotest.Root(t)
	site := serve(t)
	p := &pair{kernel: open(t, site.address), dir: t.TempDir(), page: site.m}
	p.here = must.Get(toolchain.Archives(t.Context(), root, toolchain.Packages)).Or(t)
	packages := []string{"strconv", "encoding/json", "marginalia/mlkit/perceptron", "text/template", "gonum.org/v1/gonum/mat", "marginalia/mlkit/svm", "marginalia/plotting"}
	for _, path := range packages[:tier.Size(t, 3, len(packages))] {
		p.run(t, strings.ReplaceAll(path, "/", "-"), func() {
			cmd := exec.CommandContext(t.Context(), "go", "list", "-json=Dir,GoFiles", path)
			cmd.Dir, cmd.Env = root, append(os.Environ(), "GOOS=js", "GOARCH=wasm")
			var listed struct {
				Dir     string
				GoFiles []string
			}
			must.Do(p.t, json.Unmarshal(must.Get(cmd.Output()).Or(p.t), &listed))
			texts, args := map[string]string{}, []string{"-o", "%s/out", "-p", path, "-trimpath", "%s=>.", "-c=1", "-importcfg", "%s/importcfg"}
			if p.page.Packages[path].Standard {
				args = append(args, "-std")
			}
			for _, name := range listed.GoFiles {
				texts[name] = string(must.Get(os.ReadFile(filepath.Join(listed.Dir, name))).Or(p.t))
				args = append(args, "%s/"+name)
			}
			p.same(path, "compile", p.page.Packages[path].Imports, texts, args...)
		})
	}
	programs := map[string][]string{"fmt.Println(`hello`)": {"fmt"}, "plotting.Show(``, plotting.New(`hello`)); json.Marshal(1); template.New(``); sort.Ints(nil)": {
		"encoding/json", "marginalia/plotting", "sort", "text/template"}}
	for body, imports := range programs {
		p.run(t, imports[0], func() {
			text := "package main\n\nimport (\n\t\"" + strings.Join(imports, "\"\n\t\"") + "\"\n)\n\nfunc main() { " + body + " }\n"
			texts := map[string]string{"main.go": text}
			p.same("a program", "compile", imports, texts, "-o", "%s/out", "-p", "main", "-complete", "-trimpath", "%s=>.", "-importcfg", "%s/importcfg", "%s/main.go")
			must.Do(p.t, os.Rename(filepath.Join(p.dir, "out"), filepath.Join(p.dir, "main.a")))
			labtest.Value[bool](p, p.t, `import("/files.js").then(({ put, get }) => (put("/build/main.a", get("/build/out").slice()), true))`)
			all := must.Get(p.page.Closure(append(imports, "runtime")...)).Or(p.t)
			p.same("a program", "link", all, nil, "-s", "-w", "-buildid=", "-importcfg", "%s/importcfg", "-o", "%s/out", "%s/main.a")
		})
	}
}
