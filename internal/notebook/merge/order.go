package merge

import "slices"

// order returns the ids of the result in their order: the lecture's, with the reader's cells
// each behind the one that it stands behind in the copy; if the reader moved cells of the
// lecture, the reader's, with the lecture's new cells put in the same way.
func order(base, ours, theirs []string) []string {
	common := func(list []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(id string) bool {
			return !slices.Contains(base, id) || !slices.Contains(ours, id) || !slices.Contains(theirs, id)
		})
	}
	if slices.Equal(common(base), common(ours)) {
		return weave(theirs, ours)
	}
	return weave(ours, theirs)
}

// weave puts into spine the ids of other that it lacks, each behind its predecessor in other.
func weave(spine, other []string) []string {
	spine = slices.Clone(spine)
	for i, id := range other {
		if slices.Contains(spine, id) {
			continue
		}
		at := 0
		if i > 0 {
			at = 1 + slices.Index(spine, other[i-1])
		}
		spine = slices.Insert(spine, at, id)
	}
	return spine
}
