// Package gonb says what GoNB makes of a notebook cell: which lines are
// commands, which are Go, what is declared and under which key it is
// remembered, and the program that is built from all that.
//
// GoNB runs each cell as a new program: the declarations remembered from
// earlier cells, those of this cell (a later one replaces an earlier one of the
// same key), and this cell's main. Nothing else crosses cells. The rules here
// are those of GoNB v0.11.5, found by reading it and running it; a test of
// package export runs the same notebooks on the real kernel and compares.
//
//	c := gonb.Read("greet", "func hi() { fmt.Println(\"hi\") }\n%%\nhi()")
//	decls, main, err := c.Parse()
//	file := decls.Compose(main) // the text of GoNB's main.go
package gonb

import "strings"

// A Source is the text of a code cell, split as GoNB splits it.
type Source struct {
	ID       string
	Source   string
	Magic    bool      // a cell magic in line 1 (%%bash, %%sh, %%script, %%writefile, %%gx): no Go at all
	Commands []Command // in the order in which GoNB executes them: all before any Go
	Test     bool      // %test: built with `go test -c`
	Args     []string  // of the program, from %%, %main, %args, %test or %exec: the last one counts

	lines []string
	skip  map[int]bool // lines that are commands
	timed bool         // the first line and the last are those of Timed
}

// A Command is a line that starts with % or !, with the lines it continues on.
type Command struct {
	Line  int      // 0-based
	Shell bool     // ! and not %
	Text  string   // what stands behind the % or !, without leading space
	Words []string // Text split at spaces, quotes removed; Words[0] is the name ("%" for %%)
}

// magics are the commands that turn a whole cell into something that is not Go.
var magics = map[string]bool{"%%writefile": true, "%%script": true, "%%bash": true, "%%sh": true, "%%gx": true}

// Read splits the source of a cell. It never fails: what GoNB would stumble
// over is reported by Problems.
func Read(id, source string) *Source {
	as := Timed(source)
	c := &Source{ID: id, Source: as, lines: strings.Split(as, "\n"), skip: map[int]bool{}, timed: as != source}
	if w := splitWords(trimPrefix(c.lines[0])); len(w) > 0 && magics[w[0]] {
		c.Magic = true
		c.Commands = []Command{{Text: trimPrefix(c.lines[0])[1:], Words: w}}
		return c
	}
	for i := range c.lines {
		if c.skip[i] {
			continue
		}
		line := trimPrefix(c.lines[i])
		if len(line) < 2 || line[0] != '%' && line[0] != '!' {
			continue
		}
		cmd := Command{Line: i, Shell: line[0] == '!'}
		cmd.Text = strings.TrimLeft(c.join(i)[1:], " \t")
		if cmd.Words = splitWords(cmd.Text); len(cmd.Words) == 0 {
			cmd.Words = []string{""}
		}
		c.Commands = append(c.Commands, cmd)
		if !cmd.Shell {
			c.configure(cmd.Words)
		}
	}
	return c
}

// configure notes what a command says about the cell's own program.
func (c *Source) configure(words []string) {
	switch words[0] {
	case "%", "main", "args":
		c.Args = words[1:]
	case "test":
		c.Args, c.Test = words[1:], true
	case "exec":
		if len(words) > 1 {
			c.Args = words[2:]
		}
	}
}

// join returns line i and those that a trailing backslash ties to it, and marks them as taken.
func (c *Source) join(i int) string {
	text := ""
	for ; i < len(c.lines); i++ {
		text += trimPrefix(c.lines[i])
		c.skip[i] = true
		if !strings.HasSuffix(text, `\`) {
			break
		}
		text = text[:len(text)-1] + " "
	}
	return text
}

// HasGo reports whether GoNB builds and runs a program for the cell. One with
// nothing but commands and blank lines runs none, unless it says %test.
func (c *Source) HasGo() bool {
	if c.Test {
		return true
	}
	for i, line := range c.lines {
		if !c.Magic && !c.skip[i] && strings.TrimSpace(line) != "" {
			return true
		}
	}
	return false
}

// trimPrefix removes //gonb:, which lets a command stand in a file that Go tools read.
func trimPrefix(line string) string { return strings.TrimPrefix(line, "//gonb:") }

// opensMain reports whether line starts a main function that takes the rest of the cell.
func opensMain(line string) bool {
	return strings.HasPrefix(line, "%main") ||
		line == "%%" || strings.HasPrefix(line, "%% ") || strings.HasPrefix(line, "%%\t")
}

// splitWords splits a command at blanks. Double quotes hold blanks together;
// within them \n, \t and an escaped quote are understood.
func splitWords(s string) []string {
	var words []string
	var word strings.Builder
	started, quoted := false, false
	for i := 0; i < len(s); i++ {
		b := s[i]
		switch {
		case !quoted && (b == ' ' || b == '\t' || b == '\n'):
			if started {
				words = append(words, word.String())
			}
			word.Reset()
			started = false
			continue
		case b == '"':
			if !quoted {
				started = true
			}
			quoted = !quoted
			continue
		case b == '\\' && quoted:
			if i++; i == len(s) {
				continue
			}
			switch b = s[i]; b {
			case 'n':
				b = '\n'
			case 't':
				b = '\t'
			}
		}
		// GoNB appends the byte as a rune, so that what is not ASCII comes out as Latin-1.
		word.WriteRune(rune(b))
		started = true
	}
	if started {
		words = append(words, word.String())
	}
	return words
}
