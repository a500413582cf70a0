package release

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A piece is a text at one place of the release.
type piece struct {
	where string
	text  string
	lines bool // its lines are counted
}

// letters are the letters and digits of pieces, one after another, in lower case.
type letters struct {
	runes  []rune
	at     []place // of each of them
	pieces []piece
}

// A place is a byte of a piece. Letters with the same word stand side by side.
type place struct{ piece, offset, word int32 }

func lettersOf(pieces []piece) letters {
	l := letters{pieces: pieces}
	word := int32(0)
	for i, p := range pieces {
		inside := false
		for offset, r := range p.text {
			if !unicode.IsLetter(r) && !unicode.IsNumber(r) {
				inside = false
				continue
			}
			if !inside {
				word++
			}
			inside = true
			if r < utf8.RuneSelf {
				l.runes = append(l.runes, unicode.ToLower(r))
				l.at = append(l.at, place{int32(i), int32(offset), word})
				continue
			}
			for _, r := range norm.NFKC.String(string(r)) { // bold, italic and wide letters
				l.runes = append(l.runes, unicode.ToLower(r))
				l.at = append(l.at, place{int32(i), int32(offset), word})
			}
		}
	}
	return l
}

// words is the number of words that the letters from, to are of.
func (l letters) words(from, to int) int { return int(l.at[to-1].word-l.at[from].word) + 1 }

// reads reports whether letters read like a sentence: most words have a space between
// them and nothing else. Comments and messages of tests do, code doesn't.
func (l letters) reads(from, to int) bool {
	gaps, spaces := 0, 0
	for i := from + 1; i < to; i++ {
		if l.at[i].word != l.at[i-1].word {
			gaps++
			if l.at[i].offset == l.at[i-1].offset+2 && l.pieces[l.at[i].piece].text[l.at[i].offset-1] == ' ' {
				spaces++
			}
		}
	}
	return 4*spaces >= 3*gaps
}

// text is what stands at the letters from, to, which are of one piece.
func (l letters) text(from, to int) string {
	text, last := l.pieces[l.at[from].piece].text, int(l.at[to-1].offset)
	_, size := utf8.DecodeRuneInString(text[last:])
	return text[l.at[from].offset : last+size]
}

// where says where a letter is.
func (l letters) where(i int) string {
	p := l.pieces[l.at[i].piece]
	if !p.lines {
		return p.where
	}
	return fmt.Sprintf("%s, line %d", p.where, 1+strings.Count(p.text[:l.at[i].offset], "\n"))
}
