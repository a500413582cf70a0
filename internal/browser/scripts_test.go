//go:build browser

package browser_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"marginalia/internal/browser/page"
	"marginalia/internal/install/lab"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// The scripts have the types that their comments say, and ESLint has no complaint. The tools are those
// that internal/site pins.
func TestScripts(t *testing.T) {
	tier.Browser(t)
	dir := labtest.NPM(t, filepath.Join("..", "site", "testdata", "lint"))
	must.Do(t, page.Write(t.Context(), dir))
	must.Do(t, os.Remove(filepath.Join(dir, "wasm_exec.js"))) // Go's own
	testfile.Write(t, filepath.Join(dir, "figure.js"), lab.FigureScript())
	testfile.Write(t, filepath.Join(dir, "host.d.ts"), string(must.Get(os.ReadFile(filepath.Join("testdata", "host.d.ts"))).Or(t)))
	must.Do(t, os.CopyFS(filepath.Join(dir, "lab"), os.DirFS(filepath.Join("lab", "extension"))))
	pages := filepath.Join("..", "course", "pages")
	must.Do(t, os.CopyFS(filepath.Join(dir, "assignment"), os.DirFS(filepath.Join(pages, "extension"))))
	installed := filepath.Join("..", "install", "lab")
	must.Do(t, os.CopyFS(filepath.Join(dir, "copies"), os.DirFS(filepath.Join(installed, "copies"))))
	testfile.Write(t, filepath.Join(dir, "copies", "lab.d.ts"), string(must.Get(os.ReadFile(filepath.Join(installed, "testdata", "lab.d.ts"))).Or(t)))
	testfile.Write(t, filepath.Join(dir, "copies", "tsconfig.json"), `{"extends": "../tsconfig.json", "include": ["*.js", "*.d.ts"]}`)
	testfile.Write(t, filepath.Join(dir, "assignment", "index.js"), string(must.Get(os.ReadFile(filepath.Join(pages, "index.js"))).Or(t)))
	testfile.Write(t, filepath.Join(dir, "offline", "offline.js"), string(page.Offline))
	testfile.Write(t, filepath.Join(dir, "offline", "tsconfig.json"), `{"extends": "../tsconfig.json", "compilerOptions": {"lib": ["ES2023", "WebWorker"]}, "include": ["*.js"]}`)
	for folder, from := range map[string]string{"lab": "lab", "assignment": pages} {
		testfile.Write(t, filepath.Join(dir, folder, "lite.d.ts"), string(must.Get(os.ReadFile(filepath.Join(from, "testdata", "lite.d.ts"))).Or(t)))
		testfile.Write(t, filepath.Join(dir, folder, "tsconfig.json"), `{"extends": "../tsconfig.json", "include": ["*.js", "*.d.ts", "../*.d.ts"]}`)
	}
	// The editor's modules have their own packages beside them.
	must.Do(t, os.Rename(labtest.NPM(t, filepath.Join("editor", "src")), filepath.Join(dir, "editor")))
	testfile.Write(t, filepath.Join(dir, "editor", "tsconfig.json"), `{"extends": "../tsconfig.json", "include": ["*.js"]}`)
	for _, args := range [][]string{
		{"npx", "--no-install", "tsc", "-p", "."}, {"npx", "--no-install", "tsc", "-p", "lab"}, {"npx", "--no-install", "tsc", "-p", "offline"}, {"npx", "--no-install", "tsc", "-p", "assignment"}, {"npx", "--no-install", "tsc", "-p", "copies"}, {"npx", "--no-install", "tsc", "-p", "editor"},
		{"npx", "--no-install", "eslint", "--max-warnings=0", "."},
	} {
		cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", cmd, err, out)
		}
	}
}
