package cli

import (
	"context"
	"path/filepath"
	"testing"
)

// Every command returns when its context is done, and its status is that of an
// interrupt. What some do when they are in the midst of it, interrupt.txtar has.
func TestStatusOfAnInterrupt(t *testing.T) {
	notebook := filepath.Join(t.TempDir(), "nb.ipynb")
	if err := notebookOf("== right\n%%\nfmt.Println(4)\n#> 4\n").WriteFile(notebook); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "out")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	interrupted := map[string][]string{
		"update":  {"update", "--check"},
		"test":    {"test", notebook},
		"run":     {"run", notebook},
		"export":  {"export", notebook, "-o", dir},
		"figures": {"figures", notebook, "-o", dir},
		"site":    {"site", "--out", dir},
		"new":     {"new", dir},
		"doctor":  {"doctor"},
		"course":  {"course"},

		"course new":       {"course", "new", dir},
		"course release":   {"course", "release", "ps0"},
		"course check":     {"course", "check", notebook},
		"course collect":   {"course", "collect", "ps1", notebook},
		"course grade":     {"course", "grade", "ps0"},
		"course formgrade": {"course", "formgrade", "--no-browser"},
		"course feedback":  {"course", "feedback", "ps0"},
		"course report":    {"course", "report", "ps0"},
		"course export":    {"course", "export"},
		"course merge":     {"course", "merge", dir},
		"lab":              {"lab", "--set-up"}, // a JupyterLab that Ctrl-C ends has done what it should
	}
	var names []string
	for _, c := range commands {
		c := c()
		names = append(names, c.Name())
		for _, verb := range c.Commands() {
			names = append(names, c.Name()+" "+verb.Name())
		}
	}
	for _, name := range names {
		args := interrupted[name]
		if args == nil {
			t.Errorf("%s is not tried", name)
			continue
		}
		if status := statusOf(ctx, args); status != statusInterrupt {
			t.Errorf("%q, interrupted: status %d, want %d", args, status, statusInterrupt)
		}
	}
}
