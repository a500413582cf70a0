// Package smo solves the dual problem of the support vector machine by sequential minimal
// optimisation. Package svm is its API: it checks the arguments, and makes models of the
// solutions.
//
// The algorithm is smo.go: Optimise chooses a working set of two samples, takes the step
// that is best for them, and stops when no two samples violate the conditions of
// optimality. It reads the kernel matrix through the interface Rows, behind which stands
// what makes it fast.
//
// # The files
//
//   - smo.go: the algorithm, and the clear form of the choice of the pair
//   - exact.go: rows of any kernel in float64, with the clear form
//   - panels.go: rows in float32, on several processors. The choice of the pair is then that
//     of Partner and Update in package simd.
//   - cache.go, ahead.go: the rows used last; rows evaluated before they are asked for
//   - gradient.go: g from its definition, for most samples in float32 with a bound on the error
//   - active.go: shrinking, the steps on those samples alone whose multipliers still move
//   - solve.go: Fit.Solve chooses between the two kinds of rows, evaluates the gradient anew
//     in float64 at the end, and goes on if the violation is above Tol after all
//   - hulls.go: whether a hard margin exists
//   - objective.go, ending.go: the values of both problems, and how a fit ended
//   - samples.go, origin.go: the rows of X that take part, and where they are far from 0
package smo
