package canvas

// EncodePDF panics: a guest draws for notebooks, which show no PDF. Its code is compiled for each
// submission: a program that draws has 5.1 MB of code with the PDF writer and 3.1 MB
// without it (-tags=minimal).
func EncodePDF(document) []byte { panic("plotting: there is no PDF in a guest") }
