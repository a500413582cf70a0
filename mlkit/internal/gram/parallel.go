package gram

import (
	"runtime"
	"sync"
)

// Share is the number of products that are worth a goroutine: some tens of
// microseconds of work.
const Share = 1 << 21

// processors returns how many goroutines are worth their while for so many products.
func processors(products int) int {
	return max(1, min(runtime.GOMAXPROCS(0), products/Share))
}

// parallel calls do with 0 to workers-1, in as many goroutines, and waits for all.
func parallel(workers int, do func(worker int)) {
	var wait sync.WaitGroup
	for w := 1; w < workers; w++ {
		wait.Go(func() { do(w) })
	}
	do(0)
	wait.Wait()
}

// Resized returns n elements, in the memory of s if there is enough of it, and else in
// new memory with a bit more than that, which is nothing until it is written to. What
// they are is left open.
func Resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/8)
	}
	return s[:n]
}
