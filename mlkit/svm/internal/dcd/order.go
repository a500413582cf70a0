package dcd

import (
	"math/bits"
	"math/rand/v2"
)

// shuffled appends the active set to dst in a random order. It shuffles the set in blocks of
// at most 16 neighbours, and each block in itself: neighbours share memory pages, and looking
// up a page takes longer than a step. With a free b all samples pull b the same way, and
// fixed blocks would take more passes, so blocks have a single sample then.
func shuffled(dst, active []int32, size int, random *rand.Rand) []int32 {
	starts := make([]int32, (len(active)+size-1)/size)
	for i := range starts {
		starts[i] = int32(i * size)
	}
	shuffle(starts, random)
	for _, from := range starts {
		block := active[from:min(int(from)+size, len(active))]
		dst = append(dst, block...)
		if size > 1 {
			permute(dst[len(dst)-len(block):], random.Uint64())
		}
	}
	return dst
}

// permute permutes at most 16 numbers by the fraction part/2⁶⁴, read as a number in mixed
// radix: each swap takes one digit, in the base of the places left. The probabilities of
// two orders differ by at most 16!/2⁶⁴, relative to their size.
func permute(order []int32, part uint64) {
	for i := len(order) - 1; i > 0; i-- {
		j, rest := bits.Mul64(part, uint64(i+1))
		order[i], order[j] = order[j], order[i]
		part = rest
	}
}

// shuffle shuffles the numbers (Ronald Fisher and Frank Yates, 1938).
func shuffle(order []int32, random *rand.Rand) {
	for i := len(order) - 1; i > 0; i-- {
		// Multiplying instead of taking a remainder has a bias of at most n/2⁶⁴.
		j, _ := bits.Mul64(random.Uint64(), uint64(i+1))
		order[i], order[j] = order[j], order[i]
	}
}
