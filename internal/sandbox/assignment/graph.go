package assignment

import (
	"maps"
	"slices"
)

// components returns the strongly connected components of a graph, each before those from which it can be reached:
// Tarjan, Depth-first search and linear graph algorithms, SIAM Journal on Computing 1, 1972.
func components[T comparable](all []T, next func(T) []T) [][]T {
	index, low, onStack := map[T]int{}, map[T]int{}, map[T]bool{}
	var stack []T
	var found [][]T
	var visit func(T)
	visit = func(v T) {
		index[v] = len(index) + 1
		low[v] = index[v]
		stack, onStack[v] = append(stack, v), true
		for _, w := range next(v) {
			if index[w] == 0 {
				visit(w)
				low[v] = min(low[v], low[w])
			} else if onStack[w] {
				low[v] = min(low[v], index[w])
			}
		}
		if low[v] == index[v] {
			i := slices.Index(stack, v)
			for _, w := range stack[i:] {
				onStack[w] = false
			}
			found = append(found, slices.Clone(stack[i:]))
			stack = stack[:i]
		}
	}
	for _, v := range all {
		if index[v] == 0 {
			visit(v)
		}
	}
	return found
}

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }
