package feature

import (
	"fmt"
	"math"
	"slices"

	"marginalia/mlkit/internal/rows"

	"gonum.org/v1/gonum/floats"
)

// HOG describes a grey image by histograms of oriented gradients (Dalal and Triggs,
// 2005). They change little when the image is shifted by less than a cell or lit
// differently: "good features should be invariant" (EE-559).
//
// The steps, with the sections of Dalal and Triggs: Compute the gradient of each pixel
// with the mask [-1, 0, 1], repeating the border's pixels beyond the border (6.2). Each
// pixel votes for its orientation with the magnitude of its gradient, shared linearly
// between the two nearest bins and bilinearly between the four nearest cells (6.3).
// Each block of Block×Block cells, at every position, is divided by its norm, clipped
// at 0.2 and divided again (L2-Hys, 6.4). The Gaussian window over the block is left
// out, which costs them about 1 %.
//
// Use NewHOG to make one. A sample is an image, row by row. The features are the bins
// of each cell of each block, blocks and cells row by row. If the cells do not fill the
// image, pixels are left out at the borders, equally many on each side, or one more at
// the right and bottom.
type HOG struct {
	Height int  `json:"height"` // of the image, in pixels
	Width  int  `json:"width"`  // of the image, in pixels
	Cell   int  `json:"cell"`   // pixels along a side of a cell: 8 in the paper, 7 for four by four cells of 28×28 pixels
	Block  int  `json:"block"`  // cells along a side of a block: 2 in the paper; 1 normalises each cell alone
	Bins   int  `json:"bins"`   // orientations: 9 in the paper
	Signed bool `json:"signed"` // whether the bins cover 360°; false means the paper's 180°, where dark on light equals light on dark
}

// NewHOG returns a HOG for images of the given size. It returns an error if a size is
// not positive or exceeds 2¹⁵, if no block fits the image, or if there are more than
// ten million features.
func NewHOG(height, width, cell, block, bins int) (HOG, error) {
	h := HOG{Height: height, Width: width, Cell: cell, Block: block, Bins: bins}
	return h, h.valid()
}

// maxSide limits the sizes, so that the products of two of them don't overflow.
const maxSide = 1 << 15

func (h HOG) valid() error {
	if sizes := []int{h.Height, h.Width, h.Cell, h.Block, h.Bins}; slices.Min(sizes) < 1 || slices.Max(sizes) > maxSide {
		return fmt.Errorf("feature: HOG of %d×%d pixels with cells of %d pixels, blocks of %d cells and %d bins, want positive numbers, at most %d", h.Height, h.Width, h.Cell, h.Block, h.Bins, maxSide)
	}
	down, across := h.cells()
	if down < h.Block || across < h.Block {
		return fmt.Errorf("feature: HOG of %d×%d pixels has %d×%d cells of %d pixels, want at least %d×%d, a block", h.Height, h.Width, down, across, h.Cell, h.Block, h.Block)
	}
	features := float64(down-h.Block+1) * float64(across-h.Block+1) * float64(h.Block*h.Block) * float64(h.Bins) // float64, since an int may overflow
	if features > maxFeatures {
		return fmt.Errorf("feature: HOG has %.0f features, want at most %d", features, maxFeatures)
	}
	return nil
}

func (h HOG) cells() (down, across int) {
	if h.Cell < 1 {
		panic(fmt.Sprintf("feature: HOG with cells of %d pixels, want one from NewHOG", h.Cell))
	}
	return h.Height / h.Cell, h.Width / h.Cell
}

// Inputs returns Height·Width.
func (h HOG) Inputs() int { return h.Height * h.Width }

// Dim returns the number of blocks times Block² times Bins.
func (h HOG) Dim() int {
	down, across := h.cells()
	return (down - h.Block + 1) * (across - h.Block + 1) * h.Block * h.Block * h.Bins
}

// TransformSample sets dst to the descriptor of the image x. Blocks with pixels that
// are not finite become NaN.
func (h HOG) TransformSample(dst, x []float64) []float64 {
	dst = rows.Mapped("feature", h, dst, x)
	down, across := h.cells()
	votes := h.votes(x)
	at := dst
	for top := range down - h.Block + 1 {
		for left := range across - h.Block + 1 {
			block := at[:0]
			for i := range h.Block {
				cell := ((top+i)*across + left) * h.Bins
				block = append(block, votes[cell:cell+h.Block*h.Bins]...)
			}
			normaliseBlock(block)
			at = at[len(block):]
		}
	}
	return dst
}

// votes returns the histograms of all cells, row by row.
func (h HOG) votes(x []float64) []float64 {
	down, across := h.cells()
	votes := make([]float64, down*across*h.Bins)
	top, left := (h.Height-down*h.Cell)/2, (h.Width-across*h.Cell)/2
	turn := math.Pi
	if h.Signed {
		turn = 2 * math.Pi
	}
	pixel := func(i, j int) float64 {
		return x[min(max(i, 0), h.Height-1)*h.Width+min(max(j, 0), h.Width-1)]
	}
	for i := top; i < top+down*h.Cell; i++ {
		for j := left; j < left+across*h.Cell; j++ {
			gx, gy := pixel(i, j+1)-pixel(i, j-1), pixel(i+1, j)-pixel(i-1, j)
			size := math.Hypot(gx, gy)
			if size == 0 {
				continue
			}
			angle := math.Atan2(gy, gx)
			if angle < 0 {
				angle += turn
			}
			if math.IsNaN(angle) {
				angle, size = 0, math.NaN() // the pixel is NaN, or Inf - Inf
			}
			// Positions in bins and cells, counted from the centre of the first.
			bin, binPart := split(angle/turn*float64(h.Bins) - 0.5)
			row, rowPart := split((float64(i-top)+0.5)/float64(h.Cell) - 0.5)
			col, colPart := split((float64(j-left)+0.5)/float64(h.Cell) - 0.5)
			for _, r := range []share{{row, 1 - rowPart}, {row + 1, rowPart}} {
				for _, c := range []share{{col, 1 - colPart}, {col + 1, colPart}} {
					if r.at < 0 || r.at >= down || c.at < 0 || c.at >= across {
						continue
					}
					cell := votes[(r.at*across+c.at)*h.Bins:][:h.Bins]
					vote := size * r.part * c.part
					// Orientations wrap around.
					cell[(bin+h.Bins)%h.Bins] += vote * (1 - binPart)
					cell[(bin+1)%h.Bins] += vote * binPart
				}
			}
		}
	}
	return votes
}

// A share is the part of a vote that goes to one of two neighbours.
type share struct {
	at   int
	part float64
}

// split returns the largest integer ≤ v, and the rest.
func split(v float64) (below int, rest float64) {
	f := math.Floor(v)
	return int(f), v - f
}

// normaliseBlock is L2-Hys: v ← v/√(‖v‖² + ε²), cut at 0.2, and once more.
func normaliseBlock(v []float64) {
	const epsilon, cut = 1e-5, 0.2
	floats.Scale(1/math.Hypot(floats.Norm(v, 2), epsilon), v)
	for i := range v {
		v[i] = min(v[i], cut)
	}
	floats.Scale(1/math.Hypot(floats.Norm(v, 2), epsilon), v)
}
