package cluster

import (
	"fmt"
	"slices"
)

// ARI returns the adjusted Rand index of two clusterings of the same n samples, given by
// the samples' labels, which may be any ints. It is 1 if the clusterings are equal up to
// the names of the clusters, about 0 if they agree no better than by chance, and negative
// if worse. It is symmetric. (Hubert and Arabie, 1985, equation 5.)
//
//	ARI = (Σᵢⱼ C(nᵢⱼ,2) - E) / (½(A + B) - E),  A = Σᵢ C(aᵢ,2),  B = Σⱼ C(bⱼ,2),  E = AB/C(n,2)
//
// where nᵢⱼ counts the samples in cluster i of a and cluster j of b, aᵢ those in cluster
// i of a, and bⱼ those in cluster j of b. If the fraction is 0/0, because both
// clusterings have one cluster or both have n, ARI returns 1. It returns an error if a
// and b differ in length or are empty.
func ARI(a, b []int) (float64, error) {
	table, rows, cols, err := contingency(a, b)
	if err != nil {
		return 0, err
	}
	both, A, B := 0.0, 0.0, 0.0
	for _, n := range table {
		both += pairsOf(n)
	}
	for _, n := range rows {
		A += pairsOf(n)
	}
	for _, n := range cols {
		B += pairsOf(n)
	}
	all := pairsOf(len(a))
	if A == B && (A == 0 || A == all) {
		return 1, nil
	}
	expected := A * (B / all)
	return (both - expected) / ((A+B)/2 - expected), nil
}

// Purity returns the fraction of samples that belong to the most frequent class of their
// cluster: 1/n·Σₖ maxⱼ nₖⱼ (Christopher Manning, Prabhakar Raghavan and Hinrich Schütze,
// Introduction to Information Retrieval, 2008, equation 16.1). Labels and classes may be
// any ints. Since n clusters of one sample each have purity 1, only compare clusterings
// with the same number of clusters. Purity returns an error if the slices differ in
// length or are empty.
func Purity(clusters, classes []int) (float64, error) {
	table, rows, cols, err := contingency(clusters, classes)
	if err != nil {
		return 0, err
	}
	sum := 0
	for i := range rows {
		sum += slices.Max(table[i*len(cols) : (i+1)*len(cols)])
	}
	return float64(sum) / float64(len(clusters)), nil
}

// contingency returns the number of samples for each pair of labels, in row-major order,
// and for each label of a (rows) and of b (cols). Labels are in ascending order.
func contingency(a, b []int) (table, rows, cols []int, err error) {
	if len(a) != len(b) || len(a) == 0 {
		return nil, nil, nil, fmt.Errorf("cluster: %d and %d labels, want the same number, and at least one", len(a), len(b))
	}
	as, bs := distinct(a), distinct(b)
	table, rows, cols = make([]int, len(as)*len(bs)), make([]int, len(as)), make([]int, len(bs))
	for s := range a {
		i, _ := slices.BinarySearch(as, a[s])
		j, _ := slices.BinarySearch(bs, b[s])
		table[i*len(bs)+j]++
		rows[i]++
		cols[j]++
	}
	return table, rows, cols, nil
}

func distinct(labels []int) []int {
	s := slices.Clone(labels)
	slices.Sort(s)
	return slices.Compact(s)
}

// pairsOf returns C(n, 2).
func pairsOf(n int) float64 { return float64(n) * float64(n-1) / 2 }
