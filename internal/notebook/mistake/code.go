package mistake

import (
	"go/parser"
	"go/scanner"
	"go/token"
	"regexp"
	"strings"

	"marginalia/internal/notebook/gonb"
)

// blanked returns the lines of a cell as far as they are code. Each is as long as it is in the
// cell, with ~ for what stands between quotes and spaces for comments, Python's included. A
// line with a command, or one that GoNB drops, is empty.
func blanked(source string) []string {
	lines := make([]string, strings.Count(source, "\n")+1)
	c := gonb.Read("cell", source)
	if c.Magic {
		return lines
	}
	file := c.File()
	for i, line := range strings.Split(blank(file.Text), "\n") {
		if i < len(file.Origins) && file.Origins[i].Cell != "" {
			lines[file.Origins[i].Line] = line
		}
	}
	for _, command := range c.Commands {
		lines[command.Line] = ""
	}
	return lines
}

// blank replaces comments and what stands between quotes.
func blank(text string) string {
	text = strings.ReplaceAll(text, "\r", " ") // the scanner leaves them out of literals
	out := []byte(text)
	fill := func(from, to int, with byte) {
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = with
			}
		}
	}
	for from := 0; from < len(text); {
		var s scanner.Scanner
		file := token.NewFileSet().AddFile("", -1, len(text)-from)
		s.Init(file, []byte(text[from:]), func(token.Position, string) {}, scanner.ScanComments)
		base := from
		for from == base {
			pos, tok, lit := s.Scan()
			at := base + file.Offset(pos)
			switch {
			case tok == token.EOF:
				return string(out)
			case tok == token.COMMENT:
				fill(at, at+len(lit), ' ')
			case tok == token.STRING || tok == token.CHAR:
				end := at + len(lit)
				if len(lit) > 1 && lit[len(lit)-1] == lit[0] {
					end--
				}
				fill(at+1, end, '~')
			case tok == token.ILLEGAL && lit == "#": // what follows is no Go, and may have single quotes
				line, _, _ := strings.Cut(text[at:], "\n")
				from = at + len(line)
				fill(at, from, ' ')
			}
		}
	}
	return string(out)
}

// start matches a line that begins like a statement, whether or not the rest of it parses.
var start = regexp.MustCompile(`^\s*((for|if|switch|select|return|defer)\b|go\s+\w+[.(]|[\pL_][\pL\d_.]*(\[[^\]]*\])?\s*(:=|[-+*/]?=|\+\+|--|\())`)

// isStatement reports whether what begins at a line of a cell's file is a statement, perhaps
// over several lines.
func isStatement(lines []string) bool {
	text := ""
	for _, line := range lines[:min(len(lines), 200)] {
		text += line + "\n"
		if _, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc _() {\n"+text+"}", parser.SkipObjectResolution); err == nil {
			return true
		}
	}
	return false
}

// excess returns how many closing brackets of a kind there are more than opening ones.
func excess(code string, open, closing string) int {
	return strings.Count(code, closing) - strings.Count(code, open)
}
