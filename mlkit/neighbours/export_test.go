package neighbours

// IndexFrom is the number of samples from which a search has an index, ManyFrom the number of
// features from which it has none.
var (
	IndexFrom = &indexFrom
	ManyFrom  = &manyFrom
)
