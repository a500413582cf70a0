package neighbors

// ManyFrom is the number of samples from which many neighbours are searched for at once.
var ManyFrom = &manyFrom
