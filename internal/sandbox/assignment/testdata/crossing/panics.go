package main

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

func DivMod(a, b int) (q, r int, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("divmod: %v", v)
		}
	}()
	q = a / b
	r = a % b
	return
}

func Panics(n int, xs []int) int {
	xs[0] = n
	switch n {
	case 0:
		panic("words")
	case 1:
		panic(fmt.Errorf("wrapped: %w", ErrEmpty))
	case 2:
		panic(ErrOwn)
	case 3:
		panic(Point{1, math.Inf(1)})
	case 4:
		return xs[n]
	case 5:
		var m map[string]int
		m["a"] = 1
	case 6:
		var p *Node
		return len(p.Name)
	case 7:
		panic(3.5)
	case 8:
		var a any = "s"
		return a.(int)
	case 9:
		mat.NewDense(2, 2, nil).Mul(mat.NewDense(2, 3, nil), mat.NewDense(2, 3, nil))
	case 10:
		panic(Celsius(-3))
	case 11:
		return 1 / (xs[0] - 11)
	case 12:
		panic(&RowError{12, ErrShape})
	case 14:
		var xs []int
		_ = make([]int, xs[0:n][0])
	}
	return -1
}

// Guard recovers from what f panics with.
func Guard(f func() int) (words string, err error) {
	defer func() {
		v := recover()
		words = fmt.Sprint(v)
		err, _ = v.(error)
	}()
	return fmt.Sprint(f()), nil
}
