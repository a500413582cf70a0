package similar

// A hash is that of Gram tokens of one cell.
type hash struct {
	sum uint64
	at  int // of the first token
}

// hashes returns those of all runs of Gram tokens that lie in one cell.
func hashes(all []tok) (list []hash) {
	for at := 0; at+Gram <= len(all); at++ {
		if all[at].cell != all[at+Gram-1].cell {
			continue
		}
		sum := uint64(14695981039346656037) // FNV-1a, over tokens in place of bytes
		for _, t := range all[at : at+Gram] {
			sum = (sum ^ t.code) * 1099511628211
		}
		list = append(list, hash{sum ^ sum>>29, at})
	}
	return list
}

// pick returns the hashes that winnowing picks: of each window the smallest, and the
// rightmost of several (definition 3). Shorter lists than a window give their smallest.
func pick(list []hash) (picked []hash) {
	last := -1
	for from := 0; from < max(1, len(list)-window+1) && len(list) > 0; from++ {
		smallest := from
		for i := from; i < min(from+window, len(list)); i++ {
			if list[i].sum <= list[smallest].sum {
				smallest = i
			}
		}
		if smallest != last {
			picked, last = append(picked, list[smallest]), smallest
		}
	}
	return picked
}

// A text is a submission that is prepared for comparing.
type text struct {
	cells  []Solution
	tokens []tok
	given  []bool           // by token: it is the release's
	picked map[uint64][]int // a picked hash to where it stands, without the release's and everybody's
}

func textOf(cells []Solution, release, everyday map[uint64]bool) text {
	t := text{cells: cells, tokens: tokens(cells), picked: map[uint64][]int{}}
	t.given = make([]bool, len(t.tokens))
	list := hashes(t.tokens)
	for _, h := range list {
		if release[h.sum] {
			for i := range Gram {
				t.given[h.at+i] = true
			}
		}
	}
	for _, h := range pick(list) {
		if !release[h.sum] && !everyday[h.sum] {
			t.picked[h.sum] = append(t.picked[h.sum], h.at)
		}
	}
	return t
}
