package feedback

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

// writeMarkdown writes a page as CommonMark. Text from elsewhere stands in fences, or inline
// with all marks escaped, so that it shows as it is.
func (p *page) writeMarkdown(to io.Writer) error {
	w := bufio.NewWriter(to)
	say := func(format string, args ...any) { fmt.Fprintf(w, format, args...) }
	say("# %s: feedback\n\n", inline(p.Notebook))
	if p.Notebook != p.Assignment {
		say("Assignment %s", inline(p.Assignment))
		if p.Course != "" {
			say(" of %s", inline(p.Course))
		}
		say("\n\n")
	}
	who := p.ID
	if p.Name != "" {
		who = p.Name + " (" + p.ID + ")"
	}
	say("%s", inline(who))
	if p.Handed != "" {
		say(", handed in %s", inline(p.Handed))
	}
	say("\n\n**%s of %s points**", p.Final, p.Max)
	if p.Pending {
		say(" so far: some marks are still to be given")
	}
	say("\n\n")
	if p.Penalty != "" {
		say("%s points, less %s for handing in %s late.\n\n", p.Score, p.Penalty, p.Late)
	}
	if p.Here != "" {
		say("This notebook: %s of %s points.\n\n", p.Here, p.HereMax)
	}
	if p.Refused != "" {
		say("The notebook could not be graded: %s\n\n", inline(p.Refused))
	}
	if len(p.Questions) > 0 {
		say("| question | points |\n| --- | ---: |\n")
		for _, c := range p.Questions {
			say("| %s | %s of %s |\n", inline(c.name()), c.Points, c.Max)
		}
		say("\n")
	}
	if len(p.Notes) > 0 {
		say("## What the grader noted\n\n")
		for _, n := range p.Notes {
			if n.Where != "" {
				say("- %s: %s\n", inline(n.Where), inline(n.Text))
			} else {
				say("- %s\n", inline(n.Text))
			}
		}
		say("\n")
	}
	for _, c := range p.Cells {
		c.writeMarkdown(w, p.Refused != "")
	}
	return w.Flush()
}

// name is what a question is called.
func (c *cell) name() string {
	if c.Title == "" {
		return c.ID
	}
	return c.Title + " (" + c.ID + ")"
}

// writeMarkdown writes a question, or an answer. bare leaves its source out.
func (c *cell) writeMarkdown(w *bufio.Writer, bare bool) {
	say := func(format string, args ...any) { fmt.Fprintf(w, format, args...) }
	if !c.Graded && !c.answer() && len(c.Outputs) == 0 && !c.faulty() {
		return // given
	}
	if c.Graded {
		say("## %s: %s of %s points\n\n", inline(c.name()), c.Points, c.Max)
	} else {
		say("## %s\n\n", inline(c.name()))
	}
	if !bare && (c.answer() || c.faulty()) {
		language := "markdown"
		if c.Code {
			language = "go"
		}
		fence(w, "", language, c.Source)
		if c.Left != "" {
			say("… %s\n\n", c.Left)
		}
	}
	for _, l := range c.Lines {
		for _, f := range l.Faults {
			say("- line %d: %s\n", l.N, inline(f))
		}
	}
	if c.faulty() {
		say("\n")
	}
	for _, o := range c.Outputs {
		if o.Image != "" {
			say("%s (in the HTML page)\n\n", inline(o.Alt))
		} else if o.Text != "" {
			fence(w, "", "text", o.Text)
		}
		if o.Left != "" {
			say("… %s\n\n", inline(o.Left))
		}
	}
	for _, k := range c.Checks {
		indent := strings.Repeat("  ", k.Depth)
		switch {
		case k.Group:
			say("%s- %s", indent, inline(k.Words))
		case k.Passed:
			say("%s- passed: %s", indent, inline(k.Words))
		default:
			say("%s- **failed**: %s", indent, inline(k.Words))
		}
		if k.Worth != "" {
			say(" (%s)", k.Worth)
		}
		if k.Hidden && !k.Group {
			say(" (hidden check)")
		}
		if k.Where != "" {
			say(", at %s", inline(k.Where))
		}
		say("\n")
		for _, m := range k.Messages {
			say("\n")
			fence(w, indent+"  ", "text", m)
		}
	}
	if len(c.Checks) > 0 {
		say("\n")
	}
	if c.All && !c.Full {
		say("The points are given if all checks pass.\n\n")
	}
	switch {
	case c.ByHand:
		say("Marked by hand.\n\n")
	case c.Pending:
		say("Still to be marked by hand.\n\n")
	}
	if c.Comment != "" {
		say("Comment:\n\n")
		fence(w, "", "text", c.Comment)
	}
}

// faulty reports whether something went wrong in a line of the cell.
func (c *cell) faulty() bool {
	return slices.ContainsFunc(c.Lines, func(l codeLine) bool { return len(l.Faults) > 0 })
}

// inline escapes a text of one line: CommonMark's marks, and what other readers take for links
// (GitHub Flavored Markdown, 6.9: www., http://, e-mail addresses) or formulas.
func inline(s string) string {
	var b strings.Builder
	runes := []rune(s)
	for i, r := range runes {
		escape := strings.ContainsRune("\\`*_{}[]<>#|~&!$:@", r)
		if r == '.' && i+1 < len(runes) && !unicode.IsSpace(runes[i+1]) {
			escape = i == 0 || !unicode.IsDigit(runes[i-1])
		}
		if escape {
			b.WriteByte('\\')
		}
		if r == '\n' {
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}

// fence writes a text as a fenced block, whose fence is longer than any in it.
func fence(w *bufio.Writer, indent, language, text string) {
	longest, run := 2, 0
	for _, r := range text {
		if r == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	mark := indent + strings.Repeat("`", longest+1)
	fmt.Fprintf(w, "%s%s\n", mark, language)
	for row := range strings.SplitSeq(text, "\n") {
		fmt.Fprintf(w, "%s%s\n", indent, row)
	}
	fmt.Fprintf(w, "%s\n\n", mark)
}
