package plotting

// A guest draws for notebooks, which show no PDF. Its code is compiled for each submission: with the
// PDF writer a program that draws has 5.1 MB of it, without 3.1 MB (-tags=minimal).
func toPDF(drawing) []byte { panic("plotting: there is no PDF in a guest") }
