// Package smo solves the dual problem of the support vector machine by sequential minimal
// optimisation. Package svm is its API: it checks the arguments, and makes models of the
// solutions.
//
// The algorithm is smo.go: Optimise chooses a working set of two samples, takes the step
// that is best for them, and stops when no two samples violate the conditions of
// optimality. It reads the kernel matrix through the interface Rows, behind which stands
// what makes it fast:
//
//   - exact.go: rows of any kernel in float64
//   - cache.go: the rows used last
//   - panels.go: rows in float32, by vector instructions, and on several processors
//   - active.go: shrinking, the steps on those samples alone whose multipliers still move
//
// Fit.Solve, in solve.go, chooses between the two kinds of rows. It evaluates the gradient
// anew in float64 at the end, and goes on if the violation is above Tol after all. hulls.go
// decides whether a hard margin exists.
package smo
