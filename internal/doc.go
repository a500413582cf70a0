// Package internal holds the tools of marginalia as rooms. A room imports rooms that stand
// below it in this list, and no others; rooms_test.go says which.
//
//	cli        the command: flags and printing
//	bench      times mlkit and figures against other libraries
//	site       the static site with its playgrounds
//	course     the folder of a course and its steps, from release to feedback: course/grade gives marks
//	sandbox    answers on one side of a wall, hidden tests on the other
//	install    what is put on a computer: Python, JupyterLab, checks of both
//	kernel     a notebook on the GoNB kernel
//	gotest     a notebook as Go tests, and its figures
//	browser    a notebook in a page, with the compiler and the linker as WebAssembly
//	notebook   what a notebook is: the file, its cells by GoNB's rules, the program of each
//	cell       what is linked into the program of a cell
//	build      a program from sources, as the go command builds it
//	base       files, locks, processes, the repository: nothing about notebooks
//	testkit    what tests of all rooms share
//
// A notebook becomes a program in notebook/program. Three rooms run it: kernel; gotest, where
// export writes the programs and celltest runs them; and browser. All end in outputs as Jupyter
// stores them.
package internal
