// Package cell has what is linked into the program of a cell.
//
//	display  shows HTML, pictures and sliders: to GoNB, to a folder of figures, to a page
//	cellrun  runs a cell inside its process in tests, and sends what it shows
//
// An edit here relinks every cell of every notebook. So the packages import the standard library
// alone and stay small; go test ./internal/kernel -run '^$' -bench Relink measures what a cell's link costs.
package cell
