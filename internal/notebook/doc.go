// Package notebook has what a notebook is, whoever runs it.
//
//	nbformat   reads and writes .ipynb, byte for byte as Jupyter does
//	nbgrader   nbgrader's metadata of cells, solutions and hidden tests
//	gonb       what GoNB makes of a cell
//	cursor     the cell around the cursor, as a type checker sees it
//	program    the program that each cell amounts to, and the origin of its lines
//	workspace  modules that lie beside a notebook
//	mistake    what is wrong with a cell that failed, in few words
//	checks     what a %test cell prints
//	excerpt    the two ends of an output that is too long
//	merge      brings a lecture's changes into a reader's copy
//	outputs    compares what cells have shown with what is stored; picture compares two pictures
//
// The kernel's front and gotest's export are both made of these packages, so an edit rebuilds both;
// gotest/export's TestTruth then compares them. No code here writes to a notebook except nbformat.
package notebook
