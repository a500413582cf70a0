//go:build !amd64

package simd

func best() level { return scalar }

func tileAssembly[T Float](dst, panel, x []T, features []uint32, rows int) bool { return false }
