package cli

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"marginalia/internal/jupyter/jupytertest"
)

// TestRunKilled kills `run` with -9 at twenty random moments, from before the
// kernel is started until after the notebook is written. Each time the notebook
// is what it was or what a whole run makes of it, and no process and no
// temporary file is left.
func TestRunKilled(t *testing.T) {
	name := notebook(t, imports,
		"image: import \"github.com/janpfeifer/gonb/gonbui\"\n%%\ngonbui.DisplayPng(make([]byte, 1<<20))\ngonbui.Sync()",
		"detached: !setsid sleep 1000 >/dev/null 2>&1 </dev/null &",
		"sleep: %%\ntime.Sleep(200 * time.Millisecond)\nfmt.Println(1)")
	before := content(t, name)
	begin := time.Now()
	marginalia(t, "run", name).exits(t, 0)
	whole := time.Since(begin)
	after := content(t, name)

	const kills = 20
	r := rand.New(rand.NewPCG(2, 9))
	unchanged := 0
	for i := range kills {
		if err := os.WriteFile(name, []byte(before), 0o666); err != nil {
			t.Fatal(err)
		}
		c := marginalia(t, "run", name)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		// One moment in each twentieth of the time that a whole run takes.
		moment := time.Duration((float64(i) + r.Float64()) / kills * float64(whole))
		time.Sleep(moment)
		c.Process.Kill()
		c.Wait()
		jupytertest.AwaitNoStrays(t, c.marker)
		if left := c.leftovers(); len(left) > 0 {
			t.Errorf("killed after %v: temporary files left: %q", moment, left)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(name), ".*")); len(left) > 0 {
			t.Errorf("killed after %v: files left beside the notebook: %q", moment, left)
		}
		switch content(t, name) {
		case before:
			unchanged++
		case after:
		default:
			t.Errorf("killed after %v: the notebook is neither as it was nor as a whole run leaves it", moment)
		}
	}
	if unchanged == 0 {
		t.Errorf("all %d runs had written the notebook before they were killed", kills)
	}
	t.Logf("a whole run takes %v; %d of %d killed ones had not written", whole, unchanged, kills)
}
