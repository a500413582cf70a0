package main

// axpy writes the function that adds a·x to dst.
func axpy() {
	begin("axpyNEON(dst, x *float64, count int, a float64)")
	dst, from, a := load("dst"), load("x"), double.parameter("a")
	v, x := vectors(units), vectors(units)
	loop(func() {
		loads(dst, 0, v)
		loadsNext(from, x)
		for u := range units {
			double.fma(x[u], a, v[u])
		}
		storesNext(dst, v)
	})
	emit("RET")
}
