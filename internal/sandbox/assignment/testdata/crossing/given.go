package main

import (
	"errors"
	"fmt"
	"math"
)

// All has a field of each basic type.
type All struct {
	B    bool
	I    int
	I8   int8
	I16  int16
	I32  int32
	I64  int64
	U    uint
	U8   uint8
	U16  uint16
	U32  uint32
	U64  uint64
	P    uintptr
	F32  float32
	F64  float64
	C64  complex64
	C128 complex128
	S    string
	R    rune
	Y    byte
	hid  int
}

type Point struct{ X, Y float64 }

func (p Point) String() string { return fmt.Sprintf("(%g, %g)", p.X, p.Y) }

type Celsius float64

type Node struct {
	Name        string
	Left, Right *Node
	Tags        map[string][]int
	Inner       struct {
		Grid [2][3]int8
		Ptr  *float64
	}
	Any any
}

type Kernel interface{ K(x, y float64) float64 }

type Gauss struct{ Width float64 }

func (g Gauss) K(x, y float64) float64 { return math.Exp(-(x - y) * (x - y) / g.Width) }

// Counter is an interface whose values have a state.
type Counter interface {
	Next(step ...int) (n int)
	Reset() error
}

type Number interface{ ~int | ~float64 }

type Fitter interface {
	Fit(x [][]float64, y []float64) error
	Predict(x []float64) float64
}

var (
	ErrEmpty = errors.New("empty")
	ErrShape = fmt.Errorf("shape: %w", ErrEmpty)
)

type RowError struct {
	Row int
	Err error
}

func (e *RowError) Error() string { return fmt.Sprintf("row %d: %v", e.Row, e.Err) }
func (e *RowError) Unwrap() error { return e.Err }

type Code int

func (c Code) Error() string { return fmt.Sprintf("code %d", int(c)) }
func (c Code) Is(err error) bool {
	return err == ErrEmpty && c == 7
}
