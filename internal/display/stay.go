package display

// Offer is where the program of a slider will hand over to the page. So far it does nothing.
func Offer(name string, frame func(value float64) (svg []byte, err error)) {}
