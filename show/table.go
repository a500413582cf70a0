package show

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A part is a piece of what a value becomes.
type part interface {
	text() string
	html() string
}

// words are text as it is.
type words string

func (w words) text() string { return string(w) }

func (w words) html() string { return "<div>" + html.EscapeString(string(w)) + "</div>" }

// red is what an error says, in the colour of the page's text: no red can be read on white and on black. Its
// ground is that of errors in JupyterLab, which follows the theme; elsewhere it has a red bar alone.
type red string

func (r red) text() string { return string(r) }

func (r red) html() string {
	return `<pre style="background: var(--jp-rendermime-error-background, transparent); border-left: 3px solid #d32f2f; padding: 0.3em 0.6em; margin: 0">` +
		html.EscapeString(string(r)) + "</pre>"
}

// A table has rows of cells, all of one length, and a head unless that is nil.
type table struct {
	head []string
	rows [][]string
}

// lefts says which columns are aligned on the left: those with a cell that is no number.
func (t table) lefts() []bool {
	if len(t.rows) == 0 {
		return make([]bool, len(t.head))
	}
	left := make([]bool, len(t.rows[0]))
	for _, row := range t.rows {
		for j, c := range row {
			_, err := strconv.ParseFloat(c, 64)
			left[j] = left[j] || err != nil && c != "…" && c != ""
		}
	}
	return left
}

func (t table) text() string {
	lines := t.rows
	if t.head != nil {
		lines = append([][]string{t.head}, t.rows...)
	}
	left := t.lefts()
	width := make([]int, len(left))
	for _, row := range lines {
		for j, c := range row {
			width[j] = max(width[j], utf8.RuneCountInString(c))
		}
	}
	var out []string
	for _, row := range lines {
		var b strings.Builder
		for j, c := range row {
			if j > 0 {
				b.WriteString("  ")
			}
			space := strings.Repeat(" ", width[j]-utf8.RuneCountInString(c))
			if left[j] {
				b.WriteString(c + space)
			} else {
				b.WriteString(space + c)
			}
		}
		out = append(out, strings.TrimRight(b.String(), " "))
	}
	return strings.Join(out, "\n")
}

// html leaves colours and rules to the page: JupyterLab's and marginalia's follow their light and dark
// theme.
func (t table) html() string {
	var b strings.Builder
	left := t.lefts()
	row := func(tag string, cells []string) {
		b.WriteString("<tr>")
		for j, c := range cells {
			align := "right"
			if left[j] {
				align = "left"
			}
			b.WriteString("<" + tag + ` style="text-align: ` + align + `">` + html.EscapeString(c) + "</" + tag + ">")
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("<table>\n")
	if t.head != nil {
		b.WriteString("<thead>")
		row("th", t.head)
		b.WriteString("</thead>\n")
	}
	b.WriteString("<tbody>\n")
	for _, cells := range t.rows {
		row("td", cells)
	}
	b.WriteString("</tbody>\n</table>")
	return b.String()
}
