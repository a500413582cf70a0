// Package site makes the lectures, or a course, a static site: "go run . site".
//
// Sphinx with MyST-NB makes the pages from the notebooks as they are stored, and from the
// project's Markdown. The cells do not run. What the pages need beside that is made in Go:
//
//	book       what becomes a site: the lectures, or with course.go a lecturer's folder
//	stage      the sources of the pages, in a folder of the user's cache: notebooks whose figures
//	           are files (notebook.go), Markdown (markdown.go), the gallery
//	sphinx     our extension of Sphinx: Markdown as JupyterLab shows it, formulas, Go's colours
//	release    what students get of the assignments (assignments.go), searched for solutions
//	living     the playgrounds and the programs of sliders, as WebAssembly (programs.go: when they
//	           are built anew)
//	cells      what cells run with in pages: of a course with its packages (modules.go) and files
//	           (given.go), and a JupyterLab with its notebooks (lab.go)
//	calls      which identifier of a cell has which documentation, by the type checker
//	library    the documentation of mlkit, plotting and datasets, from go/doc
//	code       the code of cells, which a page can hide
//	found      what the search knows: the sections of all pages (page/reading/finder.js ranks them)
//	finish     the site from Sphinx's pages: what the addresses of authors lead to (resolve.go,
//	           link.go), a content security policy for each page, then the exchange of the old site
//	           for the new
//
// Sphinx's own files stay in the cache, so that the next build makes anew only pages that
// have changed.
//
// --serve makes single pages anew when their sources are saved: watch (which), again (how, with a Sphinx that stays,
// sphinx/again.py), news (pages that are open hear of it).
//
// live has the parts of pages that move, play the program of the playgrounds. An edit of page or
// sphinx changes all pages; the programs are built anew when a file of mlkit, plotting, datasets or
// internal changes.
package site
