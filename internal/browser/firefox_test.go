//go:build browser

package browser_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"marginalia/internal/browser/kernel/kerneltest"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"

	browserkernel "marginalia/internal/browser/kernel"
)

// Cells mean the same in Firefox: their outputs are those of the same cells on this computer. A loop that does not end
// by itself is ended.
func TestFirefox(t *testing.T) {
	tier.Browser(t)
	serve(t)
	cells := []string{
		"func twice(x float64) float64 { return 2 * x }\n\n%%\nfmt.Println(\"hello\", twice(21))",
		"import \"marginalia/plotting\"\n\n%%\nplotting.Show(\"line\", plotting.New(\"line\", plotting.Line([]float64{1, 2}, []float64{1, twice(1)})))",
		"%%\nfmt.Println(nowhere)",
		"%%\nvar v []int\nfmt.Println(v[1])",
		"%test\nfunc TestTwice(t *testing.T) {\n\tif twice(1) != 3 {\n\t\tt.Error(twice(1))\n\t}\n}",
	}
	const endless = "%%\nfmt.Println(\"begun\")\nfor {\n}"
	script := fmt.Sprintf(`import { Kernel } from "/client.js";
		const kernel = new Kernel("/", "/notebooks"), said = [];
		for (const source of %s) {
			const outputs = [];
			const done = await kernel.execute("cell", source, (o) => {
				outputs.push(o);
				if (o.text === "begun\n") kernel.interrupt();
			}).catch((why) => ({ ok: false, count: 0, why: String(why) }));
			said.push(JSON.stringify({ ...done, outputs }));
		}
		await fetch("printed", { method: "POST", body: JSON.stringify(said) });`, must.Get(json.Marshal(append(cells, endless))).Or(t))
	files := http.FileServerFS(os.DirFS(served(t)))
	url, printed := labtest.Printed(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Security-Policy", policy)
			fmt.Fprint(w, `<!DOCTYPE html><meta charset="utf-8"><title>Go in Firefox</title><script type="module" src="/firefox.js"></script>`)
		case "/firefox.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, script)
		default:
			files.ServeHTTP(w, r)
		}
	}))
	out := labtest.Firefox(t, url, printed)
	var said []string
	if err := json.Unmarshal(out, &said); err != nil || len(said) != len(cells)+1 {
		t.Fatalf("%v: the page posts %s", err, out)
	}
	here := kerneltest.New(t, "flag", "fmt", "marginalia/plotting", "testing", "testing/internal/testdeps")
	for i, source := range cells {
		var want executed
		want.OK, _ = here.Execute(browserkernel.Cell{ID: "cell", Source: source}, func(o browserkernel.Output) { want.Outputs = append(want.Outputs, o.Output) })
		got := decode(t, said[i])
		if got.Why != "" {
			t.Errorf("cell %d\n%s\nends with %s", i+1, source, got.Why)
		}
		if got.OK != want.OK || got.text("stdout") != want.text("stdout") || got.failure() != want.failure() || got.svg(t) != want.svg(t) {
			t.Errorf("cell %d\n%s\ngives %+v, want %+v", i+1, source, got, want)
		}
	}
	if last := decode(t, said[len(cells)]); last.text("stdout") != "begun\n" || !strings.Contains(last.failure(), "interrupt") {
		t.Errorf("the endless cell gives %+v", last)
	}
}
