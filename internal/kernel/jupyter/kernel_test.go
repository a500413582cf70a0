//go:build unix

package jupyter_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/kernel/jupyter/jupytertest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/reads"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

func TestMain(m *testing.M) {
	jupyter.KeeperMain()
	if dir := os.Getenv(clientEnv); dir != "" {
		clientMain(dir)
	}
	os.Exit(reads.Short(m).Run())
}

func start(t *testing.T, spec jupyter.Spec) *jupyter.Kernel {
	t.Helper()
	k := must.Get(jupyter.Start(context.Background(), spec)).Or(t)
	t.Cleanup(k.Shutdown)
	return k
}

func execute(t *testing.T, k *jupyter.Kernel, code string) *jupyter.Result {
	t.Helper()
	r := must.Get(k.Execute(context.Background(), code)).Or(t)
	return r
}

func TestExecute(t *testing.T) {
	spec := jupytertest.Spec(t)
	k := start(t, spec)
	for i, tt := range []struct {
		name, code     string
		stdout, stderr string // contained in it
		evalue         string // contained in it; "" for a cell that does not fail
	}{
		{"print", "import \"fmt\"\n%%\nfmt.Print(6*7, \" ÄÖ\\n\")", "42 ÄÖ\n", "", ""},
		{"declare", "func double(x int) int { return 2 * x }", "", "", ""},
		{"use", "%%\nfmt.Println(double(21))", "42\n", "", ""},
		{"compile error", "func f() { x := 1 }", "", "", "declared and not used: x"},
		{"panic", "%%\npanic(\"boom\")", "", "panic: boom", "exit status 2"},
		{"exit", "%%\nfmt.Println(1)\nos.Exit(3)", "1\n", "exit status 3", "exit status 3"},
		{"still there", "%%\nfmt.Println(double(4))", "8\n", "", ""},
		{"folder", "!pwd", spec.Dir, "", ""},
	} {
		r := execute(t, k, tt.code)
		if !strings.Contains(r.Text("stdout"), tt.stdout) || !strings.Contains(r.Text("stderr"), tt.stderr) {
			t.Errorf("%s: stdout %q, stderr %q", tt.name, r.Text("stdout"), r.Text("stderr"))
		}
		if r.Failed != (tt.evalue != "") || !strings.Contains(r.EValue, tt.evalue) {
			t.Errorf("%s: Failed %v, error %q, want %q", tt.name, r.Failed, r.EValue, tt.evalue)
		}
		if r.Failed {
			if last := r.Outputs[len(r.Outputs)-1]; last.Type != "error" || last.EValue != r.EValue {
				t.Errorf("%s: the last output is %+v, want the error", tt.name, last)
			}
		}
		if r.ExecutionCount != i+1 {
			t.Errorf("%s: execution count %d, want %d", tt.name, r.ExecutionCount, i+1)
		}
	}
}

// Figures of a megabyte each arrive whole and in order, between the text.
func TestLargeImages(t *testing.T) {
	k := start(t, jupytertest.Spec(t))
	r := execute(t, k, `import (
	"fmt"
	"github.com/janpfeifer/gonb/gonbui"
)
%%
for i := range 3 {
	fmt.Println("image", i)
	png := make([]byte, 1<<20)
	for j := range png {
		png[j] = byte(i + j)
	}
	gonbui.DisplayPng(png)
	gonbui.Sync()
}`)
	if r.Failed {
		t.Fatal(r.EValue)
	}
	var shown []nbformat.Output
	for _, o := range r.Outputs {
		if o.Type == "display_data" {
			shown = append(shown, o)
		}
	}
	if len(shown) != 3 || r.Text("stdout") != "image 0\nimage 1\nimage 2\n" {
		t.Fatalf("%d displays, stdout %q", len(shown), r.Text("stdout"))
	}
	want := make([]byte, 1<<20)
	for i, o := range shown {
		for j := range want {
			want[j] = byte(i + j)
		}
		s, _ := o.Data["image/png"].(string)
		if got, err := base64.StdEncoding.DecodeString(s); err != nil || !bytes.Equal(got, want) {
			t.Errorf("image %d has %d bytes (%v), not those sent", i, len(got), err)
		}
	}
}

// A display is changed where it stands, from its own cell and from a later one.
func TestUpdateDisplay(t *testing.T) {
	k := start(t, jupytertest.Spec(t))
	first := execute(t, k, `import "github.com/janpfeifer/gonb/gonbui"
%%
gonbui.UpdateHTML("a", "one")
gonbui.DisplayHTML("between")
gonbui.UpdateHTML("a", "two")
gonbui.Sync()`)
	html := func(r *jupyter.Result) (all []any) {
		for _, o := range r.Outputs {
			all = append(all, o.Data["text/html"])
		}
		return all
	}
	if got := fmt.Sprint(html(first)); got != "[two between]" {
		t.Errorf("first cell shows %s (%s), want [two between]", got, first.EValue)
	}
	second := execute(t, k, "%%\ngonbui.UpdateHTML(\"a\", \"three\")\ngonbui.Sync()")
	if len(second.Outputs) != 0 || second.Failed {
		t.Errorf("second cell shows %v (%s), want nothing", second.Outputs, second.EValue)
	}
	if got := fmt.Sprint(html(first)); got != "[three between]" {
		t.Errorf("first cell shows %s after the second, want [three between]", got)
	}
}

func TestManyLines(t *testing.T) {
	k := start(t, jupytertest.Spec(t))
	r := execute(t, k, "import \"fmt\"\n%%\nfor i := range 100000 {\n\tfmt.Println(\"line\", i)\n}")
	var want strings.Builder
	for i := range 100000 {
		fmt.Fprintln(&want, "line", i)
	}
	if len(r.Outputs) != 1 || r.Outputs[0].Text != want.String() {
		t.Errorf("%d outputs with %d bytes of stdout, want 1 with %d", len(r.Outputs), len(r.Text("stdout")), want.Len())
	}
}

// A character arrives whole, wherever GoNB's pieces of 32 KiB end, when the program pauses or
// shows something in the midst of it, and on both streams. What is no character becomes U+FFFD.
func TestCharacters(t *testing.T) {
	k := start(t, jupytertest.Spec(t))
	r := execute(t, k, `import (
	"fmt"
	"os"
	"strings"
	"time"
	"github.com/janpfeifer/gonb/gonbui"
)
%%
for i := range 4 {
	fmt.Print(strings.Repeat("x", i), strings.Repeat("€щ🙂", 20000))
	fmt.Fprint(os.Stderr, strings.Repeat("x", i), strings.Repeat("€щ🙂", 20000))
}
for _, part := range []string{"\xe2", "\x82", "\xac", "\xf0\x9f", "\x99\x82", "\xff", "a\xe2"} {
	fmt.Print(part)
	gonbui.DisplayHTML("<b>between</b>")
	gonbui.Sync()
	time.Sleep(20 * time.Millisecond)
}`)
	var whole strings.Builder
	for i := range 4 {
		whole.WriteString(strings.Repeat("x", i) + strings.Repeat("€щ🙂", 20000))
	}
	if got := r.Text("stderr"); got != whole.String() {
		t.Errorf("stderr: %d bytes with %d torn pieces, want %d", len(got), strings.Count(got, "\ufffd"), whole.Len())
	}
	whole.WriteString("€🙂\ufffda\ufffd")
	if got := r.Text("stdout"); got != whole.String() {
		t.Errorf("stdout: %d bytes with %d torn pieces, want %d: …%q", len(got), strings.Count(got, "\ufffd"), whole.Len(), got[max(0, len(got)-30):])
	}
}

// A GoNB that is killed is started again. The running cell says so, and the next cell still
// has the declarations of earlier cells. No earlier cell runs again.
func TestKernelKilled(t *testing.T) {
	spec, marker := marked(jupytertest.Spec(t))
	k := start(t, spec)
	file := filepath.Join(spec.Dir, "ran")
	execute(t, k, "import (\n\t\"fmt\"\n\t\"os\"\n)\n\ntype point struct{ x, y int }\n\nfunc (p point) sum() int { return p.x + p.y }\n\nconst a, b = iota, 7\n\n"+
		"func init_file() {\n\tf, _ := os.OpenFile(\"ran\", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)\n\tfmt.Fprint(f, \"x\")\n}")
	if r := execute(t, k, "%env WORD=\"a b\"\n%goflags -tags=\"x\"\nvar p = point{b, a}\n%%\npanic(p.sum())"); !r.Failed {
		t.Errorf("a cell that panics: %+v", r)
	}
	r := execute(t, k, "!echo before; sleep 0.5; kill -9 $PPID; sleep 1000")
	if !r.Failed || r.EName != "KernelDied" || !strings.Contains(r.EValue, "signal: killed") || r.Text("stdout") != "before\n" || r.ExecutionCount != 3 {
		t.Errorf("the cell that ran: %+v", r)
	}
	ran := testfile.Read(t, file)
	r = execute(t, k, "%%\nfmt.Println(p.sum(), a, os.Getenv(\"WORD\"))\nfmt.Fprint(os.Stderr, \"-\")")
	if r.Text("stdout") != "7 0 a b\n" || r.Text("stderr") != "-" || r.ExecutionCount != 4 {
		t.Errorf("the cell after it: %+v", r)
	}
	if again, err := os.ReadFile(file); err != nil || len(again) != len(ran)+1 { // by init_file of this cell
		t.Errorf("%d initialisations were %d before GoNB died (%v)", len(again), len(ran), err)
	}
	// kill -9 of the front, above GoNB and its keeper, leaves nothing, even before Shutdown.
	_, err := k.Execute(context.Background(), `!above() { sed -n 's/^PPid:[^0-9]*//p' /proc/$1/status 2>/dev/null | grep . || ps -o ppid= -p $1; }; kill -9 $(above $(above $PPID)); sleep 1000`)
	var dead *jupyter.DeadError
	if !errors.As(err, &dead) || dead.State != "signal: killed" {
		t.Fatalf("error %v, want that the kernel was killed", err)
	}
	if _, err := k.Execute(context.Background(), "!echo"); !errors.As(err, &dead) {
		t.Errorf("error %v of a dead kernel", err)
	}
	jupytertest.AwaitNoStrays(t, marker)
}

func TestTimeout(t *testing.T) {
	k := start(t, jupytertest.Spec(t))
	// On a busy computer a cell takes longer to compile than an interrupt is repeated.
	long := jupyter.SetInterruptTime(10 * time.Minute)
	// Execute is stopped when the cell has made the file, which is $begun in its code, or
	// at once where it makes none.
	stop := func(code string) (*jupyter.Result, *jupyter.StoppedError) {
		t.Helper()
		ctx, cancel := context.WithCancelCause(context.Background())
		defer cancel(nil)
		begun := filepath.Join(t.TempDir(), "begun")
		waits := strings.Contains(code, "$begun")
		go func() {
			for waits && ctx.Err() == nil {
				if _, err := os.Stat(begun); err == nil {
					break
				}
				time.Sleep(5 * time.Millisecond)
			}
			cancel(errors.New("time is up"))
		}()
		r, err := k.Execute(ctx, strings.ReplaceAll(code, "$begun", begun))
		var stopped *jupyter.StoppedError
		if !errors.As(err, &stopped) || stopped.Cause.Error() != "time is up" {
			t.Fatalf("error %v, want that time is up", err)
		}
		return r, stopped
	}
	r, stopped := stop("import (\n\"fmt\"\n\"os\"\n)\n%%\nfmt.Println(\"begun\")\nos.Create(\"$begun\")\nfor {\n}")
	if r.Text("stdout") != "begun\n" {
		t.Errorf("stdout %q, want what came before the interrupt", r.Text("stdout"))
	}
	if stopped.Killed {
		t.Error("a program that dies of an interrupt was killed")
	}
	// An interrupt while the cell compiles, which GoNB drops, is repeated.
	if _, stopped = stop("%%\nfor {}"); stopped.Killed {
		t.Error("a program whose compilation was interrupted was killed")
	}
	if r := execute(t, k, "!echo alive"); r.Text("stdout") != "alive\n" {
		t.Errorf("after interrupts: %+v", r)
	}
	long()
	k = start(t, jupytertest.Spec(t))
	_, stopped = stop("import (\n\"os\"\n\"os/signal\"\n)\n%%\nsignal.Ignore(os.Interrupt)\nos.Create(\"$begun\")\nfor {}")
	if !stopped.Killed {
		t.Error("a program that ignores interrupts was not killed")
	}
	var dead *jupyter.DeadError
	if _, err := k.Execute(context.Background(), "!echo"); !errors.As(err, &dead) {
		t.Errorf("error %v after the kernel was killed", err)
	}
	k = start(t, jupytertest.Spec(t))
	// The kernel hangs before the interrupt: one that met it running would answer. A signal
	// takes effect later than kill returns, so wait for that, on Linux and elsewhere.
	hang := `!kill -STOP $PPID; until grep -qs "^State:.T" /proc/$PPID/status || ps -o state= -p $PPID 2>/dev/null | grep -q T; do sleep 0.01; done; touch $begun`
	if _, stopped = stop(hang); !stopped.Killed {
		t.Error("a kernel that hangs was not killed")
	}
}

// With the race detector it takes minutes to read what has been printed until the program
// is stopped.
func TestMaxOutput(t *testing.T) {
	tier.Long(t)
	k := start(t, jupytertest.Spec(t))
	defer jupyter.SetInterruptTime(10 * time.Minute)()
	if _, err := k.Execute(context.Background(), "import (\n\"fmt\"\n\"strings\"\n)\n%%\nfor {\n\tfmt.Println(strings.Repeat(\"again\", 10000))\n}"); !errors.Is(err, jupyter.ErrMaxOutput) {
		t.Errorf("error %v of a program that prints for ever", err)
	}
}

// This client answers no questions, so a program that reads its standard input gets the end
// of the file, and the cell says so.
func TestInput(t *testing.T) {
	k := start(t, jupytertest.Spec(t))
	const word = "This cell reads what somebody types, and here nobody can: its standard input ends.\n"
	for _, c := range []struct{ code, stdout string }{
		{"import \"fmt\"\n%%\nvar name string\nn, err := fmt.Scanln(&name)\nfmt.Println(n, err)", "0 EOF\n"},
		{"import (\n\"os\"\n\"os/exec\"\n)\n%%\nc := exec.Command(\"sh\", \"-c\", \"read x; echo got $x\")\nc.Stdin, c.Stdout = os.Stdin, os.Stdout\nfmt.Println(c.Run())", "got\n<nil>\n"},
		{"import (\n\"bufio\"\n\"os\"\n)\n%%\ns := bufio.NewScanner(os.Stdin)\nfmt.Println(s.Scan(), s.Err())", "false <nil>\n"},
		{"import \"github.com/janpfeifer/gonb/gonbui\"\n%%\ngonbui.RequestInput(\"name\", false)\ns := bufio.NewScanner(os.Stdin)\nfmt.Println(s.Scan(), s.Err())", "false <nil>\n"},
		{"!read answer; echo \"got <$answer>\"", "got <>\n"},
		{"%with_inputs\n!read answer; echo \"got <$answer>\"", "got <>\n"},
	} {
		if r := execute(t, k, c.code); r.Text("stdout") != c.stdout || r.Text("stderr") != word {
			t.Errorf("%s\nprints %q and %q, want %q and %q", c.code, r.Text("stdout"), r.Text("stderr"), c.stdout, word)
		}
	}
}

func TestShutdownLeavesNothing(t *testing.T) {
	spec, marker := marked(jupytertest.Spec(t))
	k := start(t, spec)
	r := execute(t, k, "!setsid sleep 1000 >/dev/null 2>&1 </dev/null &\n!mkdir -p $TMPDIR/a/b && chmod -w $TMPDIR/a && echo $TMPDIR")
	tmp := strings.TrimSpace(r.Text("stdout"))
	if _, err := os.Stat(filepath.Join(tmp, "a", "b")); err != nil {
		t.Fatalf("%v; the cells print %+v", err, r)
	}
	if len(jupytertest.Strays(marker)) < 2 && runtime.GOOS == "linux" {
		t.Fatal("kernel and sleep are not seen in /proc")
	}
	k.Shutdown()
	if left := jupytertest.Strays(marker); len(left) > 0 {
		t.Errorf("processes left: %q", left)
	}
	if _, err := os.Stat(tmp); err == nil {
		t.Errorf("%s is left", tmp)
	}
	k.Shutdown()
}

func TestStartErrors(t *testing.T) {
	kernel := func(script string) jupyter.Spec { return jupyter.Spec{Argv: []string{"sh", "-c", script}} }
	if _, err := jupyter.Start(context.Background(), jupyter.Spec{}); err == nil {
		t.Error("no error without Argv")
	}
	if _, err := jupyter.Start(context.Background(), jupyter.Spec{Argv: []string{"/no/such/kernel"}}); err == nil || !strings.Contains(err.Error(), "/no/such/kernel") {
		t.Errorf("error %v does not name the program", err)
	}
	var dead *jupyter.DeadError
	_, err := jupyter.Start(context.Background(), kernel("echo no luck >&2; exit 3"))
	if !errors.As(err, &dead) || dead.State != "exit status 3" || dead.Log != "no luck\n" {
		t.Errorf("error %v, want exit status 3 and what the kernel said", err)
	}
	spec, marker := marked(kernel("trap '' INT TERM; sleep 1000 & while :; do sleep 1; done"))
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if _, err := jupyter.Start(ctx, spec); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v of a kernel that does not listen", err)
	}
	if left := jupytertest.Strays(marker); len(left) > 0 {
		t.Errorf("processes left: %q", left)
	}
}

// clientEnv makes the test binary the client of TestClientKilled, in the directory it names.
const clientEnv = "MARGINALIA_TEST_CLIENT"

func clientMain(dir string) {
	spec, err := jupytertest.Kernel()
	if err != nil {
		panic(err)
	}
	spec.Dir, spec.Writes = dir, []string{filepath.Join(dir, "litter")}
	k, err := jupyter.Start(context.Background(), spec)
	if err != nil {
		panic(err)
	}
	os.WriteFile(filepath.Join(dir, ".litter1"), nil, 0o666)
	k.Execute(context.Background(), "!touch running; setsid sleep 1000 & sleep 1000")
}

// After kill -9 of the client nothing is left.
func TestClientKilled(t *testing.T) {
	jupytertest.Spec(t)
	dir, tmp := t.TempDir(), t.TempDir()
	marker := jupytertest.Marker()
	self := must.Get(os.Executable()).Or(t)
	client := exec.Command(self)
	client.Env = append(os.Environ(), clientEnv+"="+dir, "TMPDIR="+tmp, marker)
	client.Stderr = os.Stderr
	must.Do(t, client.Start())
	jupytertest.Await(t, "the cell runs", func() bool { _, err := os.Stat(filepath.Join(dir, "running")); return err == nil })
	client.Process.Kill()
	client.Wait()
	jupytertest.AwaitNoStrays(t, marker)
	if left, _ := filepath.Glob(filepath.Join(tmp, "*")); len(left) > 0 {
		t.Errorf("temporary files left: %q", left)
	}
	if _, err := os.Stat(filepath.Join(dir, ".litter1")); err == nil {
		t.Error("what was written of a file of Spec.Writes is left")
	}
}

// marked adds an environment variable to spec by which its processes are known.
func marked(spec jupyter.Spec) (jupyter.Spec, string) {
	marker := jupytertest.Marker()
	spec.Env = append(spec.Env, marker)
	return spec, marker
}

// What a program prints before it shows something comes first, and what it shows last
// arrives before its cell is done, though it ends right
// after that and does not wait for the kernel (gonbui.Sync).
func TestLateDisplays(t *testing.T) {
	tier.NoRace(t)
	k := start(t, jupytertest.Spec(t))
	execute(t, k, "import (\n\t\"fmt\"\n\t\"github.com/janpfeifer/gonb/gonbui\"\n)\nfunc show() {\n\tfmt.Println(\"first\")\n\tfor range 10 {\n\t\tgonbui.DisplayHtml(\"<b>1</b>\")\n\t}\n}")
	for i := range 25 {
		r := execute(t, k, fmt.Sprintf("%%%%\nshow() // %d", i))
		if len(r.Outputs) != 11 || r.Outputs[0].Text != "first\n" {
			t.Errorf("cell %d shows %d outputs, want what it prints and then 10 displays: %+v", i+1, len(r.Outputs), r.Outputs)
		}
	}
}

// Code that waits for a page ends long before the caller's patience: here it has
// none. What still prints goes on, and so does the kernel.
func TestNoPage(t *testing.T) {
	defer jupyter.SetPageTime(4 * time.Second)()
	k := start(t, jupytertest.Spec(t))
	execute(t, k, "import (\n\t\"fmt\"\n\t\"time\"\n\t\"github.com/janpfeifer/gonb/gonbui/comms\"\n)")
	r, err := k.Execute(t.Context(), "%%\nvalues := comms.Listen[int](\"a\")\nfor range 3 {\n\ttime.Sleep(2*time.Second)\n\tfmt.Println(1)\n}\n<-values.C")
	if !errors.Is(err, jupyter.ErrNoPage) || r.Text("stdout") != "1\n1\n1\n" {
		t.Errorf("code that waits for a page ends with %v and prints %q", err, r.Text("stdout"))
	}
	if r := execute(t, k, "%%\nfmt.Println(2)"); r.Text("stdout") != "2\n" {
		t.Errorf("after that: %q", r.Text("stdout"))
	}
}
