// Package simd contains the inner loops of mlkit: in plain Go, and in assembly for AVX2
// with FMA, for AVX-512, and for NEON on arm64. It chooses the best that the processor
// has when the program starts. The environment variable MARGINALIA_SIMD overrides the
// choice: off, avx2 or avx512, on arm64 off or neon. If the processor lacks what is asked
// for, or the value is unknown, the package uses the best there is. (The variable is read
// before a test starts, so go test does not know of it: run with -count=1.) With the build
// tag noasm, as in gonum, there is no assembly in the program at all.
//
// AVX2, AVX-512 and NEON give the same bits in Tile, Outer, Gauss, Combine and Standardize.
// So they do in Update, Axpy and Rotate, except in the last numbers, which plain Go computes:
// n mod 16 of n numbers, in Rotate n mod 32 of n columns. Products, SymmetricMul, Descend,
// Narrow and Hinge sum in an order that depends on the number of lanes. Plain Go rounds
// products before it adds them, but not always on arm64, where the compiler may fuse the two.
// Partner, Distances and Nearest give the same results at every level, Dot and AddScaled on every
// processor. The error bounds of a function hold at all levels.
//
// How many instructions a loop has per number, counted in the machine code for arm64,
// and not measured as a time: plain Go, and NEON.
//
//	Tile, six rows of float32   4.2   0.33 (a number is a product, in Outer too)
//	Tile, six rows of float64   4.2   0.67
//	Outer of float32            3.8   0.33
//	Outer of float64            3.8   0.67
//	Products of float32          10    1.4
//	Products of float64           6    0.9
//	Combine of float32            9    1.2
//	Combine of float64            7    0.9
//	Distances, Nearest          5.4      2
//	Update                       22    5.9
//	Partner                20 to 27    4.5
//	Axpy                          8    1.5
//	Rotate                       11    3.5
//	Narrow                        9    1.6
//	Hinge                        14      4
//
// AVX-512 stays beside AVX2 because it is faster by a quarter to two fifths where products of
// matrices take the time. On an Intel Xeon, one core, in the medians of nine runs in turn of
// the cases of docs/benchmarks.md, AVX2 takes as many times as long:
//
//	least squares, 500×10000 and 100000×200          1.42  1.36
//	linear SVM, squared hinge, 1000×5000             1.39
//	ridge regression, 500×10000 and 100000×200       1.36  1.24
//	Gaussian SVC, MNIST, 20000×50, 5000×20           1.32  1.26  1.11 to 1.08
//	k-means, softmax regression on MNIST             1.15  1.10
//	linear SVM, hinge, dual                          1.09  1.04
//	linear SVM, squared hinge, 100000×50; LDA        1.03  1.04
//	logistic and softmax regression, perceptron      0.93 to 1.10
//
// Two halves of the AVX2 runs differed by up to 7 %.
//
// The programs in gen (amd64) and gen/neon (arm64) write the assembly; go generate runs
// them. The files they write begin with z.
package simd

//go:generate go -C gen run . -out ../zkernels_amd64.s -stubs ../zkernels_amd64.go -pkg simd
//go:generate go -C gen run ./neon -out ../zkernels_arm64.s -stubs ../zkernels_arm64.go
