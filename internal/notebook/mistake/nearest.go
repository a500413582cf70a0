package mistake

// Nearest returns at most three of the names that are most like name, nil if none is.
func Nearest(name string, all []string) []string { return nearest(name, all) }
