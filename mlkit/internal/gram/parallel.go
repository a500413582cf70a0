package gram

import (
	"runtime"
	"sync"
)

// Share is the number of products worth a goroutine: tens of microseconds of work.
var Share = 1 << 21

// processors returns how many goroutines are worthwhile for the given number of
// products.
func processors(products int) int {
	return max(1, min(runtime.GOMAXPROCS(0), products/Share))
}

// parallel calls do(0) to do(workers-1) concurrently and waits for all of them.
func parallel(workers int, do func(worker int)) {
	var wait sync.WaitGroup
	for w := 1; w < workers; w++ {
		wait.Go(func() { do(w) })
	}
	do(0)
	wait.Wait()
}

// Resized returns a slice of n elements with arbitrary contents. It uses the memory of
// s if there is enough; otherwise it allocates an eighth more than needed, which costs
// no physical memory until it is written to.
func Resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/8)
	}
	return s[:n]
}
