package report

import (
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"marginalia/internal/notebook/outputs"
)

// How much of a text is shown: bytes of a line, lines in all, and words of a line whose changes are
// marked one by one.
const (
	longestLine = 2000
	mostLines   = 1000
	mostWords   = 400
)

// A line of a text. Kind is "old" or "new" if only one of the texts has it, "same", or "gap" where
// equal lines are left out.
type line struct {
	Kind  string
	Parts []part
}

// A part of a line; marked if the other text has something else in its place.
type part struct {
	Text   string
	Marked bool
}

func (l line) size() (n int) {
	for _, p := range l.Parts {
		n += len(p.Text)
	}
	return n
}

var kinds = map[byte]string{'-': "old", '+': "new", ' ': "same", '@': "gap", '\\': "gap"}

// lines returns what differs between two texts, with up to three lines around it.
func lines(want, got string) (list []line) {
	all := strings.Split(string(diff.Diff("", ended(want), "", ended(got))), "\n")
	if len(all) < 4 {
		return []line{{Kind: "gap", Parts: []part{{Text: "They differ only in whether the last line ends."}}}}
	}
	for _, text := range all[3 : len(all)-1] { // behind the names, up to the last line's end
		if len(list) == mostLines {
			return append(list, line{Kind: "gap", Parts: []part{{Text: "…"}}})
		}
		l := line{Kind: kinds[text[0]], Parts: []part{{Text: cut(text[1:])}}}
		if text[0] == '@' {
			if l.Parts[0].Text = "⋯"; len(list) == 0 {
				continue
			}
		}
		list = append(list, l)
	}
	markPairs(list)
	return list
}

// ended ends the last line of a text.
func ended(text string) []byte {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return []byte(text)
}

func cut(text string) string {
	if len(text) > longestLine {
		text = strings.ToValidUTF8(text[:longestLine], "") + "…"
	}
	return outputs.Visible(text)
}

// markPairs marks the words that differ where lines were replaced by as many others.
func markPairs(list []line) {
	run := func(from int, kind string) int {
		for from < len(list) && list[from].Kind == kind {
			from++
		}
		return from
	}
	for i := 0; i < len(list); i++ {
		middle := run(i, "old")
		end := run(middle, "new")
		if n := middle - i; n > 0 && n == end-middle {
			for k := i; k < middle; k++ {
				list[k].Parts, list[k+n].Parts = words(list[k].Parts[0].Text, list[k+n].Parts[0].Text)
			}
		}
		i = max(i, end-1)
	}
}

var word = regexp.MustCompile(`[\pL\pN_.]+|\s+|.`)

// words marks the words in which two lines differ: those that are not in their longest common
// subsequence.
func words(a, b string) (old, new []part) {
	x, y := word.FindAllString(a, -1), word.FindAllString(b, -1)
	before := 0
	for before < min(len(x), len(y)) && x[before] == y[before] {
		before++
	}
	after := 0
	for after < min(len(x), len(y))-before && x[len(x)-1-after] == y[len(y)-1-after] {
		after++
	}
	old, new = append(old, part{strings.Join(x[:before], ""), false}), append(new, part{strings.Join(y[:before], ""), false})
	tail := part{strings.Join(x[len(x)-after:], ""), false}
	x, y = x[before:len(x)-after], y[before:len(y)-after]
	if max(len(x), len(y)) > mostWords {
		return joined(append(old, part{strings.Join(x, ""), true}, tail)), joined(append(new, part{strings.Join(y, ""), true}, tail))
	}
	// length[i][j] is the length of the longest common subsequence of x[i:] and y[j:].
	length := make([][]int, len(x)+1)
	for i := range slices.Backward(length) {
		length[i] = make([]int, len(y)+1)
		for j := len(y) - 1; i < len(x) && j >= 0; j-- {
			if length[i][j] = max(length[i+1][j], length[i][j+1]); x[i] == y[j] {
				length[i][j] = length[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(x) || j < len(y); {
		switch {
		case i < len(x) && j < len(y) && x[i] == y[j]:
			old, new = append(old, part{x[i], false}), append(new, part{y[j], false})
			i, j = i+1, j+1
		case j == len(y) || i < len(x) && length[i+1][j] >= length[i][j+1]:
			old = append(old, part{x[i], true})
			i++
		default:
			new = append(new, part{y[j], true})
			j++
		}
	}
	return joined(append(old, tail)), joined(append(new, tail))
}

// joined joins neighbours of one kind. A blank between two marked words is marked with them.
func joined(list []part) (short []part) {
	for i, p := range list {
		blank := strings.TrimSpace(p.Text) == "" && i > 0 && i+1 < len(list) && list[i-1].Marked && list[i+1].Marked
		p.Marked = p.Marked || blank
		if n := len(short); n > 0 && short[n-1].Marked == p.Marked {
			short[n-1].Text += p.Text
		} else if p.Text != "" {
			short = append(short, p)
		}
	}
	return short
}
