package collect

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// nameWords returns the words of a person's name, in small letters without marks. The
// systems write a name in many ways: "Lovelace, Ada", with marks or without, Mueller for
// Müller (ILIAS, OpenOLAT), O'Brien with and without its apostrophe.
func nameWords(name string) []string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(fold(name)) {
		switch {
		case r >= 0x300 && r <= 0x36f, r == '\'', r == '’', r == '`', unicode.Is(unicode.Cf, r):
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			if plain, found := plainLetters[r]; found {
				b.WriteString(plain)
			} else {
				b.WriteRune(r)
			}
		default:
			b.WriteByte(' ')
		}
	}
	words := strings.Fields(b.String())
	for i, word := range words {
		words[i] = umlauts.Replace(word)
	}
	return words
}

// plainLetters are letters with a part that no decomposition takes off.
var plainLetters = map[rune]string{'ß': "ss", 'ẞ': "ss", 'ø': "o", 'đ': "d", 'ð': "d", 'ł': "l", 'æ': "a", 'œ': "o", 'ı': "i", 'þ': "th", 'ħ': "h"}

// umlauts makes Mueller and Muller the same. A name that has these letters by itself, as
// Manuel, is changed in the same way wherever it stands.
var umlauts = strings.NewReplacer("ae", "a", "oe", "o", "ue", "u")

// nameKeys returns the keys under which a name is looked up: its words in any order, and
// its letters in one piece, with the words turned around: Canvas writes lovelaceada.
func nameKeys(name string) (keys []string) {
	words := nameWords(name)
	if len(words) == 0 {
		return nil
	}
	for i := range words {
		keys = append(keys, strings.Join(words[i:], "")+strings.Join(words[:i], ""))
	}
	slices.Sort(words)
	return append(keys, strings.Join(words, " "))
}

// Agree reports whether two names may be one person's: the same words in any order, also
// in one piece, some of them as initials or left out. A name that is not known agrees
// with all.
func Agree(said, listed string) bool {
	a, b := nameWords(said), nameWords(listed)
	switch {
	case len(a) == 0 || len(b) == 0:
		return true
	case len(a) == 1 && pieces(a[0], b), len(b) == 1 && pieces(b[0], a):
		return true
	}
	short, long := a, slices.Clone(b)
	if len(short) > len(long) {
		short, long = b, slices.Clone(a)
	}
	var rest []string // of short, not in long
	for _, word := range short {
		if i := slices.Index(long, word); i >= 0 {
			long = slices.Delete(long, i, i+1)
		} else {
			rest = append(rest, word)
		}
	}
	for _, word := range rest {
		i := slices.IndexFunc(long, func(other string) bool { return initialOf(word, other) || initialOf(other, word) })
		if i < 0 {
			return false
		}
		long = slices.Delete(long, i, i+1)
	}
	return len(rest) < len(short) // not by initials alone
}

// same reports whether two names are the same words, in any order or in one piece.
func same(said, listed string) bool {
	return slices.ContainsFunc(nameKeys(said), func(key string) bool { return slices.Contains(nameKeys(listed), key) })
}

func initialOf(short, word string) bool {
	return len([]rune(short)) == 1 && strings.HasPrefix(word, short)
}

// pieces reports whether s is all of the words, in some order.
func pieces(s string, words []string) bool {
	if len(words) == 0 {
		return s == ""
	}
	for i, word := range words {
		if rest, found := strings.CutPrefix(s, word); found && len(words) <= 8 && pieces(rest, slices.Delete(slices.Clone(words), i, i+1)) {
			return true
		}
	}
	return false
}
