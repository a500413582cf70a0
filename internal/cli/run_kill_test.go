package cli

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"marginalia/internal/kernel/jupyter/jupytertest"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// TestRunKilled kills `run` with -9 at twenty random moments, from before the
// kernel is started until after the notebook is written. Each time the notebook
// is what it was or what a whole run makes of it, and no process and no
// temporary file is left.
func TestRunKilled(t *testing.T) {
	tier.Long(t)
	jupytertest.Spec(t)
	name, tmp, marker := filepath.Join(t.TempDir(), "nb.ipynb"), t.TempDir(), jupytertest.Marker()
	if err := notebookOf(`== imports
import (
	"flag"
	"fmt"
	"github.com/janpfeifer/gonb/gonbui"
	"time"
)
== image
%%
gonbui.DisplayPng(make([]byte, 1<<20))
gonbui.Sync()
== detached
!setsid sleep 1000 >/dev/null 2>&1 </dev/null &
== sleep
%%
time.Sleep(200 * time.Millisecond)
fmt.Println(1)
`).WriteFile(name); err != nil {
		t.Fatal(err)
	}
	content := func() string {
		return testfile.Read(t, name)
	}
	run := func() *exec.Cmd {
		cmd := exec.Command("marginalia", "run", name)
		cmd.Env = append(os.Environ(), "TMPDIR="+tmp, marker)
		return cmd
	}
	before := content()
	begin := time.Now()
	if out, err := run().CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	whole := time.Since(begin)
	after := content()

	const kills = 20
	r := rand.New(rand.NewPCG(2, 9))
	unchanged := 0
	for i := range kills {
		testfile.Write(t, name, before)
		cmd := run()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// One moment in each twentieth of the time that a whole run takes.
		moment := time.Duration((float64(i) + r.Float64()) / kills * float64(whole))
		time.Sleep(moment)
		cmd.Process.Kill()
		cmd.Wait()
		jupytertest.AwaitNoStrays(t, marker)
		if left := leftovers(tmp); len(left) > 0 {
			t.Errorf("killed after %v: temporary files left: %q", moment, left)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(name), ".*")); len(left) > 0 {
			t.Errorf("killed after %v: files left beside the notebook: %q", moment, left)
		}
		switch content() {
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
