package neighbours

// IndexFrom is the number of samples from which a search has an index.
var IndexFrom = &indexFrom
