package rows

import (
	"syscall"
	"unsafe"
)

const hugePage = 14 // MADV_HUGEPAGE

// Large returns n zeros. Linux is asked for pages of 2 MB, since a fault for each 4 KB that is
// written takes as long as many a pass over the numbers.
func Large[T float32 | float64](n int) []T {
	x := make([]T, n)
	from, size := unsafe.Pointer(unsafe.SliceData(x)), n*int(unsafe.Sizeof(T(0)))
	page := syscall.Getpagesize()
	skip := int(-uintptr(from) % uintptr(page))
	if size -= skip; size >= 1<<22 {
		_ = syscall.Madvise(unsafe.Slice((*byte)(unsafe.Add(from, skip)), size/page*page), hugePage) // a hint
	}
	return x
}
