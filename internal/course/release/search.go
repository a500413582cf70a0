package release

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A search looks for secrets in one stream after another.
type search struct {
	index *index
	seen  map[[32]byte]bool  // sums of what has been decoded
	left  int                // bytes that may still be decoded
	found map[[2]string]bool // by place and secret

	inflater io.ReadCloser // used again and again, since a new one costs 40 kB
	leaks    []Leak

	unsearched []string // where there was more than could be decoded
}

func newSearch(x *index, left int) *search {
	return &search{index: x, left: left, seen: map[[32]byte]bool{}, found: map[[2]string]bool{}, inflater: flate.NewReader(nil)}
}

func (s *search) missed(where string) {
	if !slices.Contains(s.unsearched, where) {
		s.unsearched = append(s.unsearched, where)
	}
}

// gram is how many letters are looked up at once: the fewest that can be a leak.
const gram = 12

// An index knows where secrets have which letters.
type index struct {
	secrets []secret
	at      map[[gram]rune][]position
	begins  [1 << 16]bool // whether a key of at begins so: most letters of the release are no secret's
}

// beginning is a hash of the first four letters.
func beginning(r []rune) uint16 { return uint16(((r[0]*31+r[1])*31+r[2])*31 + r[3]) }

type position struct{ secret, offset int }

func newIndex(secrets []secret) *index {
	x := &index{secrets: secrets, at: map[[gram]rune][]position{}}
	for n, s := range secrets {
		for i := 0; i+gram <= len(s.runes); i++ {
			key := [gram]rune(s.runes[i : i+gram])
			// Long rows of the same digits are in every table of numbers. Of what a
			// secret repeats, a few places serve.
			if variety(key[:]) >= 4 && len(x.at[key]) < 8 {
				x.at[key] = append(x.at[key], position{n, i})
				x.begins[beginning(key[:])] = true
			}
		}
	}
	return x
}

// variety counts the different letters.
func variety(runes []rune) int {
	r := slices.Clone(runes)
	slices.Sort(r)
	return len(slices.Compact(r))
}

// match looks for secrets in letters of a kind. how says what was decoded.
func (s *search) match(l letters, k kind, how string) {
	type diagonal struct{ secret, shift int }
	ended := map[diagonal]int{} // where the run that was found there ends
	covered := map[int][]bool{} // of hidden tests in the visible ones
	var order []int
	first := map[int]int{}
	for i := 0; i+gram <= len(l.runes); i++ {
		if !s.index.begins[beginning(l.runes[i:])] {
			continue
		}
		for _, p := range s.index.at[[gram]rune(l.runes[i:i+gram])] {
			d := diagonal{p.secret, i - p.offset}
			if i < ended[d] {
				continue
			}
			of := s.index.secrets[p.secret]
			from, to := p.offset, p.offset+gram
			for from > 0 && i-(p.offset-from) > 0 && of.runes[from-1] == l.runes[i-(p.offset-from)-1] {
				from--
			}
			for to < len(of.runes) && i+to-p.offset < len(l.runes) && of.runes[to] == l.runes[i+to-p.offset] {
				to++
			}
			ended[d] = i + to - p.offset
			start := i - (p.offset - from)
			if k == inTests && of.hidden {
				if to-from >= inText.letters {
					if covered[p.secret] == nil {
						covered[p.secret] = make([]bool, len(of.runes))
						order, first[p.secret] = append(order, p.secret), start
					}
					for j := from; j < to; j++ {
						covered[p.secret][j] = true
					}
				}
				continue
			}
			if of.leaks(from, to, k) {
				s.add(l, start, how, of, from, to)
			}
		}
	}
	for _, n := range order {
		of, count := s.index.secrets[n], 0
		for _, is := range covered[n] {
			if is {
				count++
			}
		}
		if float64(count) >= shared*float64(len(of.runes)) {
			s.add(l, first[n], how, of, 0, len(of.runes))
		}
	}
}

// leaks reports whether a run of a secret's letters is a leak where it was found.
func (s secret) leaks(from, to int, k kind) bool {
	least := inText
	switch {
	case k == decoded:
		least = encoded
	case k == inCells || k == inTests || s.prose || s.reads(from, to):
		least = inCode
	}
	n, words := to-from, s.words(from, to)
	all := n == len(s.runes)
	if s.remarks != nil {
		for _, remark := range s.remarks[from:to] {
			if remark {
				n--
			}
		}
	}
	all = all && n >= whole.letters && words >= whole.words
	return (all || n >= least.letters && words >= least.words) && variety(s.runes[from:to]) >= 6
}

func (s *search) add(l letters, start int, how string, of secret, from, to int) {
	at := l.pieces[l.at[start].piece]
	key := [2]string{at.where, of.of}
	if !s.found[key] {
		s.found[key] = true
		s.leaks = append(s.leaks, Leak{l.where(start), how, of.of, of.text(from, to)})
	}
}

// pictures looks for attachments that were removed: as they are in other files, and in
// base64, as notebooks hold them, in all texts.
func (s *search) pictures(a *Handout) {
	for _, nb := range a.Notebooks {
		for _, r := range nb.Removed {
			for name, bundle := range r.Attachments {
				b, _ := bundle.(map[string]any)
				for _, v := range b {
					text, _ := v.(string)
					text = strings.Join(strings.Fields(text), "")
					data, err := base64.StdEncoding.DecodeString(text)
					if err != nil || len(data) < 64 {
						continue
					}
					// The middle: the beginning is that of all pictures of a format.
					inside, plain := text[len(text)/2-16:len(text)/2+16], data[len(data)/2-16:len(data)/2+16]
					of := fmt.Sprintf("the %s of cell %d (%s) of %s.ipynb", r.Mark.Name, r.Cell, r.ID, nb.Name)
					for _, st := range a.streams() {
						for _, p := range st.pieces {
							if strings.Contains(strings.Join(strings.Fields(p.text), ""), inside) || bytes.Contains([]byte(p.text), plain) {
								s.leaks = append(s.leaks, Leak{p.where, "", of, "the attachment " + name})
							}
						}
					}
				}
			}
		}
	}
}
