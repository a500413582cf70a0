package main

// hinge writes the function that computes Σ Cδ max(0, ξ - tδ), and Σ Cδ² where ξ > tδ,
// one partial sum per lane.
func hinge() {
	begin("hingeNEON(slack, change, bound *float64, count int, t float64, lanes *float64)")
	slack, change, bound, t := load("slack"), load("change"), load("bound"), double.parameter("t")
	first, second, nought := zeros(units), zeros(units), zeros(1)[0]
	ξ, δ, price, mask := vectors(units), vectors(units), vectors(units), vectors(1)[0]
	loop(func() {
		loadsNext(slack, ξ)
		loadsNext(change, δ)
		loadsNext(bound, price)
		for u := range units {
			double.fms(δ[u], t, ξ[u])
			double.mul(price[u], δ[u], price[u])
			double.greater(nought, ξ[u], mask)
			emit("VAND %s, %s, %[2]s", mask.as("B16"), price[u].as("B16"))
			double.fma(price[u], ξ[u], first[u])
			double.fma(price[u], δ[u], second[u])
		}
	})
	results(double, first, second)
}
