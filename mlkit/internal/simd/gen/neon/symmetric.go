package main

// symmetricRows is the number of rows of a symmetric matrix that are read at a time.
const symmetricRows = 4

// symmetric writes the function that adds own[r] times row r of a to dst, for four
// rows, and computes the inner products of the rows with x, one partial sum per lane.
func symmetric() {
	begin("symmetricNEON(dst, a, x *float64, stride, count int, own, lanes *float64)")
	dst, x, stride, count, own, lanes := load("dst"), load("x"), load("stride"), load("count"), load("own"), load("lanes")
	a := []general{load("a")}
	for r := 1; r < symmetricRows; r++ {
		a = append(a, register())
		emit("ADD %v<<3, %v, %v", stride, a[r-1], a[r])
	}
	factors, sums := vectors(symmetricRows), zeros(2*symmetricRows)
	for _, factor := range factors {
		emit("VLD1R.P 8(%v), [%s]", own, factor.as("D2"))
	}
	v, to, row := vectors(2), vectors(2), vectors(2)
	label("loop")
	loadsNext(x, v)
	loads(dst, 0, to)
	for r := range a {
		loadsNext(a[r], row)
		for u := range row {
			double.fma(row[u], v[u], sums[2*r+u])
			double.fma(row[u], factors[r], to[u])
		}
	}
	storesNext(dst, to)
	emit("SUBS $4, %v, %[1]v", count)
	emit("BNE loop")
	for r := range a {
		stores(lanes, 64*r, sums[2*r:2*r+2])
	}
	emit("RET")
}
