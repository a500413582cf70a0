package kernel

import (
	"fmt"
	"strings"

	"marginalia/internal/notebook/gonb"
)

const inLab = "JupyterLab runs the cell: go run . lab"

// noFlags is said of flags for the go command.
const noFlags = "marginalia: in a page no go command builds the cells: these flags change nothing here\n"

// elsewhere are GoNB's commands that do not work in a page, by name: why, and what to do.
var elsewhere = map[string][2]string{
	"widgets":       {"GoNB's widgets need its own JavaScript, which a page has not", inLab},
	"widgets_hb":    {"GoNB's widgets need its own JavaScript, which a page has not", inLab},
	"help":          {"only GoNB's kernel answers %help", "its commands are at github.com/janpfeifer/gonb"},
	"version":       {"only GoNB's kernel answers %version", "runtime.Version() says which Go runs here"},
	"ls":            {"only GoNB's kernel lists what it remembers", "here a cell knows the declarations of all cells above it"},
	"list":          {"only GoNB's kernel lists what it remembers", "here a cell knows the declarations of all cells above it"},
	"with_inputs":   {"the command is for shell lines, and a page has no shell", "a program that reads gets a box to type into without it"},
	"with_password": {"the command is for shell lines, and a page has no shell", "gonbui.RequestInput(prompt, true) asks for a password"},
	"track":         {"the command is for the kernel's editor support", "leave the line out"},
	"untrack":       {"the command is for the kernel's editor support", "leave the line out"},
	"goworkfix":     {"the command changes the kernel's module, and a page has none", "leave the line out"},
	"capture":       {"only GoNB's kernel captures what a cell prints", "have the program write the file: os.WriteFile"},
	"wasm":          {"programs in a page are WebAssembly already", "leave the line out"},
	"%writefile":    {"a page writes files with plain names, and does not append to them", "%%writefile notes.txt"},
}

// notHere says which command of a cell does not work in a page, why, and what to do.
func notHere(source *gonb.Source) string {
	for _, c := range source.Commands {
		var words [2]string
		switch {
		case c.Shell && strings.HasPrefix(strings.TrimLeft(c.Text, "* "), "go get"):
			words = [2]string{"a page can't get modules", "its cells import marginalia, gonum and much of the standard library; " + inLab}
		case c.Shell:
			words = [2]string{"a page has no shell", inLab}
		case source.Magic && c.Words[0] != "%%writefile":
			words = [2]string{"the cell is not Go, and a page has nothing else that could run it", inLab}
		case source.Magic:
			words = elsewhere["%writefile"]
		default:
			words = elsewhere[c.Words[0]]
		}
		if words[0] != "" {
			line := strings.Split(source.Source, "\n")[c.Line]
			return fmt.Sprintf("line %d: %s\n  %s\n  → %s", c.Line+1, words[0], strings.TrimSpace(line), words[1])
		}
	}
	return ""
}
