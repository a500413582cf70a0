package main

// Computed is what a student's code computes.
func Computed(n int) map[string][]uint64 { return computed(n) }
