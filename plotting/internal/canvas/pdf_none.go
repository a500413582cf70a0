//go:build minimal

package canvas

// EncodePDF panics. gonum/plot leaves out its formats of files with the tag minimal, and this
// package PDF: fpdf and what it imports are 38 packages. A grader's guest, whose code is
// compiled for each submission, has 3.1 MB of code without them and 5.1 MB with them. A program
// that draws is linked in 0.85 of the time.
func EncodePDF(document) []byte {
	panic("plotting: PDF: this program is built with the tag minimal, which leaves PDF out")
}
