package main

// rotated is the number of vectors in a row that rotate processes.
const rotated = 8

// rotate writes the function that rotates neighbouring rows of a matrix. The row that two
// rotations share stays in registers between them.
func rotate() {
	begin("rotateNEON(x *float64, stride int, rotations *float64, count int)")
	x, stride, rotations, count := load("x"), load("stride"), load("rotations"), load("count")
	emit("LSL $3, %v, %v", stride, stride)
	shared, a, done, pair := vectors(rotated), vectors(rotated), vectors(rotated), vectors(2)
	loads(x, 0, shared)
	other := register()
	label("loop")
	emit("ADD %v, %v, %v", stride, x, other)
	loads(other, 0, a)
	for _, v := range pair {
		double.broadcast(rotations, v)
		emit("ADD $8, %v, %v", rotations, rotations)
	}
	cos, sin := pair[0], pair[1]
	for u, b := range shared {
		double.mul(sin, a[u], done[u])
		double.fma(cos, b, done[u])
		double.mul(cos, a[u], a[u])
		double.fms(sin, b, a[u])
		emit("VMOV %s, %s", a[u].as("B16"), b.as("B16"))
	}
	stores(x, 0, done)
	emit("MOVD %v, %v", other, x)
	next(count, "loop")
	stores(x, 0, shared)
	emit("RET")
}
