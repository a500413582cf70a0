//go:build browser

package main

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// What a playground computes for a preset is the same in WebAssembly, to 1e-9 relative: in Chromium,
// and in Firefox where it is installed.
func TestSameNumbersInWebAssembly(t *testing.T) {
	tier.Browser(t)
	dir := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-tags=minimal", "-o", filepath.Join(dir, "play.wasm"), ".")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	scripts := filepath.Join(strings.TrimSpace(string(out)), "lib", "wasm")
	t.Run("Chromium", func(t *testing.T) {
		url, printed := serve(t, scripts, dir)
		window := labtest.Window(t, labtest.Chromium(t))
		if err := chromedp.Do(window, chromedp.Navigate(url)); err != nil {
			t.Fatal(err)
		}
		select {
		case out := <-printed:
			sameNumbers(t, out)
		case <-window.Done():
			t.Fatal("the page sends nothing back: ", context.Cause(window))
		}
	})
	t.Run("Firefox", func(t *testing.T) {
		url, printed := serve(t, scripts, dir)
		sameNumbers(t, labtest.Firefox(t, url, printed))
	})
}

// serve serves a page that runs the program, and receives from it what the program prints.
func serve(t *testing.T, scripts, dir string) (url string, printed <-chan []byte) {
	t.Helper()
	const script = `
		let printed = "";
		const decoder = new TextDecoder();
		fs.writeSync = (fd, bytes) => { printed += decoder.decode(bytes, { stream: true }); return bytes.length; };
		const go = new Go();
		go.argv = ["play", "-numbers"];
		go.exit = () => {};
		WebAssembly.instantiateStreaming(fetch("play.wasm"), go.importObject)
			.then(({ instance }) => go.run(instance))
			.then(() => printed, (why) => "failed: " + why)
			.then((body) => fetch("printed", { method: "POST", body }));`
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServer(http.Dir(dir)))
	mux.Handle("GET /wasm_exec.js", http.FileServer(http.Dir(scripts)))
	for name, text := range map[string]string{"index.html": `<!DOCTYPE html><script src="wasm_exec.js"></script><script src="run.js"></script>`, "run.js": script} {
		testfile.Write(t, filepath.Join(dir, name), text)
	}
	return labtest.Printed(t, mux)
}

// sameNumbers compares what the program printed with the numbers of this process.
func sameNumbers(t *testing.T, printed []byte) {
	t.Helper()
	var got map[string]float64
	if err := json.Unmarshal(printed, &got); err != nil {
		t.Fatalf("%v\n%s", err, printed)
	}
	want := numbers()
	if len(got) != len(want) || len(want) < 100 {
		t.Errorf("%d numbers, want %d, at least 100", len(got), len(want))
	}
	largest := 0.0
	for name, v := range want {
		d := math.Abs(got[name]-v) / math.Max(math.Abs(v), 1e-300)
		if v == 0 {
			d = math.Abs(got[name])
		}
		if math.Abs(v) > 1e-25 {
			largest = max(largest, d)
		}
		// The polynomial through all points misses them by rounding error alone, squared.
		if !(d <= 1e-9) && !(math.Abs(got[name])+math.Abs(v) < 1e-25) {
			t.Errorf("%s: %v, natively %v", name, got[name], v)
		}
	}
	t.Logf("%d numbers, the largest relative difference is %.2g", len(want), largest)
}
