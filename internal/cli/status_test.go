package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// stderrOf returns what f writes to standard error.
func stderrOf(t *testing.T, f func()) string {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	old := os.Stderr
	os.Stderr = file
	defer func() { os.Stderr = old }()
	f()
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Scripts tell by the status what to do: mend the command line (2), look at
// what failed (1), or stop too (130). README has the table.
func TestStatuses(t *testing.T) {
	dir := t.TempDir()
	notebook := notebookOf(t, [3]string{"right", "%%\nfmt.Println(4)", "4\n"})
	none, figures := filepath.Join(dir, "none.ipynb"), filepath.Join(dir, "figures")
	for _, tt := range []struct {
		status int
		says   string // part of the message
		args   []string
	}{
		{2, `unknown command "tset"`, []string{"tset", notebook}},
		{2, "unknown flag: --chekc", []string{"--chekc"}},
		{2, `unknown command "tset"`, []string{"help", "tset"}},

		{2, "requires at least 1 arg", []string{"test"}},
		{2, "unknown flag: --chekc", []string{"test", "--chekc", notebook}},
		{2, `invalid argument "soon"`, []string{"test", "--timeout", "soon", notebook}},
		{2, "--timeout 0s: want more than 0", []string{"test", "--timeout", "0", notebook}},
		{1, "no such file", []string{"test", none}},
		{1, `no code cell "wrong"`, []string{"test", "--run", "wrong", notebook}},
		{0, "", []string{"test", notebook}},

		{2, "name at least one notebook", []string{"run"}},
		{2, "--check writes nothing", []string{"run", "--check", "-o", none, notebook}},
		{2, "unknown flag: --chekc", []string{"run", "--chekc", notebook}},
		{1, "no such file", []string{"run", none}},

		{2, "accepts 1 arg(s), received 0", []string{"export"}},
		{2, "accepts 1 arg(s), received 2", []string{"export", notebook, notebook}},
		{2, "unknown flag: --chekc", []string{"export", "--chekc", notebook}},
		{1, "no such file", []string{"export", none, "-o", filepath.Join(dir, "out")}},
		{1, "no earlier export", []string{"export", notebook, "-o", filepath.Dir(notebook)}},
		{0, "", []string{"export", notebook, "-o", filepath.Join(dir, "out")}},

		{2, "none of the others can be", []string{"figures", "-o", figures, "--check", "--update"}},
		{2, "none of the others can be", []string{"figures", "-o", figures, "--check", "--width", "4"}},
		{2, "name no notebook", []string{"figures", "-o", figures, "--update", "some.ipynb"}},
		{2, `no format "eps"`, []string{"figures", "-o", figures, "--format", "eps"}},
		{2, "0.5 inches", []string{"figures", "-o", figures, "--width", "0.5"}},
		{2, `invalid argument "wide"`, []string{"figures", "-o", figures, "--width", "wide"}},
		{2, `pattern "[a"`, []string{"figures", "-o", figures, "--only", "[a"}},
		{1, "no such file", []string{"figures", "-o", figures, none}},

		{2, `unknown command "now"`, []string{"doctor", "now"}},
		{2, "unknown flag: --chekc", []string{"doctor", "--chekc"}},

		{2, `unknown command "notebooks"`, []string{"lab", "notebooks"}},
		{2, `invalid argument "http"`, []string{"lab", "--port", "http"}},
		{2, "from 1 to 65535", []string{"lab", "--port", "65536"}},
		{1, "there is no folder", []string{"lab", "--dir", none}},
	} {
		var status int
		said := stderrOf(t, func() { status = execute(t.Context(), tt.args) })
		if status != tt.status || !strings.Contains(said, tt.says) {
			t.Errorf("%q: status %d, want %d; it says\n%swant %q", tt.args, status, tt.status, said, tt.says)
		}
		if hint := strings.Contains(said, "--help)"); hint != (status == 2) {
			t.Errorf("%q, status %d: it says\n%swith a word about --help: %v", tt.args, status, said, hint)
		}
	}
	if left, _ := os.ReadDir(figures); len(left) > 0 {
		t.Errorf("figures that were refused leave %v", left)
	}
}

// Every command, and what each is interrupted in.
func TestStatusOfAnInterrupt(t *testing.T) {
	notebook := notebookOf(t, [3]string{"right", "%%\nfmt.Println(4)", "4\n"})
	dir := filepath.Join(t.TempDir(), "out")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	interrupted := map[string][]string{
		"test":    {"test", notebook},
		"run":     {"run", notebook},
		"export":  {"export", notebook, "-o", dir},
		"figures": {"figures", notebook, "-o", dir},
		"doctor":  {"doctor"},
		"lab":     {"lab", "--set-up"}, // a JupyterLab that Ctrl-C ends has done what it should
	}
	for _, c := range commands {
		name := c().Name()
		args := interrupted[name]
		if args == nil {
			t.Errorf("%s is not tried", name)
			continue
		}
		var status int
		if said := stderrOf(t, func() { status = execute(ctx, args) }); status != 130 {
			t.Errorf("%q, interrupted: status %d, want 130; it says\n%s", args, status, said)
		}
	}
}

// The help of each command says what its statuses mean, and --help is no mistake.
func TestHelpNamesTheStatuses(t *testing.T) {
	for _, c := range commands {
		for _, word := range []string{"Exit status: 0 all went well; 1 ", "2 the command line is at fault", "130 after an interrupt."} {
			if !strings.Contains(c().Long, word) {
				t.Errorf("the help of %s lacks %q", c().Name(), word)
			}
		}
		for _, args := range [][]string{{c().Name(), "--help"}, {"help", c().Name()}} {
			if out, status := invoke(t, args...); status != 0 || !strings.Contains(out, "Usage:\n  marginalia "+c().Name()) {
				t.Errorf("%q: status %d\n%s", args, status, out)
			}
		}
	}
}
