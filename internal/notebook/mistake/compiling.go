package mistake

import (
	"errors"
	"go/scanner"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"marginalia/internal/notebook/gonb"
)

var (
	colours   = regexp.MustCompile("\x1b\\[[0-9;]*m")
	located   = regexp.MustCompile(`(?s)^(?:Cell\[(\d+)\]: Line (\d+)\n)?(.*)$`)
	caret     = regexp.MustCompile(`(?m)^( *)\^$`)
	moreErrs  = regexp.MustCompile(` \(and \d+ more errors\)$`)
	inProgram = regexp.MustCompile(` (?:\(declared at \./main(?:_test)?\.go:\d+:\d+\)|at \./main(?:_test)?\.go:\d+:\d+)`)
	refers    = regexp.MustCompile(`^\S+ refers to \S+$`)
	inFile    = regexp.MustCompile(`\bmain(?:_test)?\.go:\d+:\d+: `)
)

// Compiling reports whether a cell failed because it did not compile.
func Compiling(evalue string) bool { return inFile.MatchString(evalue) }

// compiling explains messages of the compiler, or of the parser before it. For each of them
// GoNB gives the cell and the line, some lines of the program with a caret below one of them,
// and the message.
func (f Failure) compiling() Explanation {
	if !Compiling(f.EValue) {
		return nil
	}
	if e := f.parsing(); e != nil {
		return e
	}
	var e Explanation
	for _, entry := range f.Traceback {
		entry = colours.ReplaceAllString(entry, "")
		at := caret.FindStringSubmatchIndex(entry)
		if at == nil {
			if strings.HasPrefix(entry, "\t") && len(e) > 0 { // have and want of a call
				e[len(e)-1].Message += "\n" + strings.TrimSpace(entry)
			}
			continue
		}
		m := located.FindStringSubmatch(entry)
		before := strings.TrimSuffix(entry[:at[0]], "\n")
		text := before[strings.LastIndexByte(before, '\n')+1:]
		found := Mistake{Message: inProgram.ReplaceAllString(entry[strings.LastIndexByte(entry, '\n')+1:], "")}
		if m[1] != "" {
			count, _ := strconv.Atoi(m[1])
			line, _ := strconv.Atoi(m[2])
			found.Places = []Place{f.place(count, line, text, at[3]-at[2])}
		}
		if f.qualified(&found) {
			continue
		}
		if found.Message == "too many errors" {
			e = append(e, Mistake{Message: "and more"})
			continue
		}
		switch other, ok := strings.CutPrefix(found.Message, "other declaration of "); {
		case refers.MatchString(found.Message) && len(e) > 0:
			e[len(e)-1].Message += "\n" + found.Message
		case ok && len(e) > 0 && len(found.Places) > 0:
			e[len(e)-1].Message += "\n" + other + " is declared in " + found.Places[0].name(f.Count) + " too"
		case !slices.ContainsFunc(e, func(m Mistake) bool { return undefinedName.MatchString(m.Message) && m.Message == found.Message }):
			e = append(e, found) // each undefined name once
		}
	}
	// A type is unknown because a name is undefined, which has a message of its own.
	e = slices.DeleteFunc(e, func(m Mistake) bool { return strings.Contains(m.Message, "(unknown type") })
	e = slices.DeleteFunc(e, func(m Mistake) bool { return lengthOf(e, firstGroup(unused, m.Message)) })
	e = f.withoutUnused(e)
	for i := range e {
		if name := firstGroup(unused, e[i].Message); !e.says("undefined: " + name) {
			e[i].Hint = f.hint(e[i])
		}
	}
	return e
}

// says reports whether there is a mistake with a message.
func (e Explanation) says(message string) bool {
	return slices.ContainsFunc(e, func(m Mistake) bool { return m.Message == message })
}

// lengthOf reports whether a variable is the length of an array, which the compiler refuses and
// does not count as a use.
func lengthOf(e Explanation, name string) bool {
	return name != "" && slices.ContainsFunc(e, func(m Mistake) bool {
		return m.Message == "invalid array length "+name || strings.HasPrefix(m.Message, "array length "+name+" ")
	})
}

// place finds byte at of a line of the program in the line of the cell, whose spaces may
// differ.
func (f Failure) place(count, line int, text string, at int) Place {
	p := Place{Count: count, Line: line, Text: f.line(count, line)}
	if rest := strings.TrimSpace(text[min(at, len(text)):]); !strings.HasPrefix(strings.TrimSpace(p.Text), strings.TrimSpace(text)) && rest != "" {
		if i := strings.LastIndex(p.Text, rest); i >= 0 { // of a variable that GoNB has put into its var ( … )
			p.Column = i + 1
			return p
		}
	}
	ink := 0 // bytes before the place that are no spaces
	for _, c := range []byte(text[:min(at, len(text))]) {
		if c != ' ' && c != '\t' {
			ink++
		}
	}
	for i, c := range []byte(p.Text) {
		if c == ' ' || c == '\t' {
			continue
		}
		if ink == 0 {
			p.Column = i + 1
			return p
		}
		ink--
	}
	p.Column = len(p.Text) + 1
	return p
}

// parsing explains a cell that does not parse, and parses it again to do so: GoNB gives only
// the first mistake, and places a missing brace at the end of the program that it writes.
func (f Failure) parsing() Explanation {
	source, ok := f.Cells(f.Count)
	if !ok {
		return nil
	}
	_, _, err := gonb.Read("cell", source).Parse()
	var syntax *gonb.SyntaxError
	var list scanner.ErrorList
	if !errors.As(err, &syntax) || !errors.As(err, &list) {
		return nil
	}
	first := list[0] // the parser is lost after it
	at, moved := min(first.Pos.Line, len(syntax.Origins))-1, false
	for at >= 0 && (syntax.Origins[at].Cell == "" || strings.TrimSpace(f.line(f.Count, syntax.Origins[at].Line+1)) == "") {
		at, moved = at-1, true
	}
	m := Mistake{Message: moreErrs.ReplaceAllString(first.Msg, "")}
	if at >= 0 {
		p := Place{Count: f.Count, Line: syntax.Origins[at].Line + 1, Column: first.Pos.Column}
		p.Text = f.line(p.Count, p.Line)
		if moved || p.Column > len(p.Text)+1 {
			p.Column = len(p.Text) + 1
		}
		m.Places = []Place{p}
	}
	text := strings.Split(gonb.Read("cell", source).File().Text, "\n")
	m.Hint = f.syntaxHint(m, text[min(max(first.Pos.Line-1, 0), len(text)):])
	return Explanation{m}
}

// goGet is our go command's message about an import that no module provides.
var goGet = regexp.MustCompile(`(?m)^marginalia: imports? ((?:"[^"]+"|[^:]+)): (.*)$`)

// missing explains an import that no module has.
func (f Failure) missing() Explanation {
	said := goGet.FindStringSubmatch(f.EValue)
	if said == nil {
		return nil
	}
	if path := strings.Trim(said[1], `"`); strings.HasSuffix(said[1], `"`) && !strings.Contains(strings.Split(path, "/")[0], ".") {
		dir, name := path[:strings.LastIndexByte(path, '/')+1], path[strings.LastIndexByte(path, '/')+1:]
		said[2] = "there is no package of this path; check the spelling of the import"
		if near := nearest(name, commonPackages); len(near) > 0 && near[0] != name {
			said[2] = "there is no package of this path; did you mean \"" + dir + near[0] + "\"?"
		}
	}
	m := Mistake{Message: said[1] + ": " + said[2]}
	source, _ := f.Cells(f.Count)
	for i, line := range strings.Split(source, "\n") {
		if at := strings.Index(line, said[1]); at >= 0 {
			m.Message = said[2]
			m.Places = []Place{{Count: f.Count, Line: i + 1, Column: at + 1, Text: line}}
			break
		}
	}
	m.Message, m.Hint, _ = strings.Cut(strings.TrimSuffix(m.Message, "."), "; ")
	return Explanation{m}
}
