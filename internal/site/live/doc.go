// Package live makes the living parts of the site: the playgrounds, and the sliders of lectures,
// as Go programs in WebAssembly with the scripts that pages need.
//
//	l, err := live.Build(ctx, root, dir)           // the playgrounds
//	…
//	page += l.Fragment("perceptron", "../live/")   // in a page, dir is ../live/
//	page += live.Script("../live/play.js")         // once, at the end of the page
//
//	n, err := live.Lecture(ctx, root, "notebooks/04-margins.ipynb", dir)
//
// A lecture's page gives its sliders to what enlivener of sliders.js returns for the list that
// Lecture wrote; package site's pages do. In a page with the stored outputs of nbconvert's template
// (internal/lab/template/marginalia/page.j2), which figure.js shows, Sliders loads what does it.
//
// # What a page may do
//
// The scripts work under [Policy]. They load only what Build and Lecture wrote, and only when it
// comes into view. Without JavaScript or WebAssembly a playground is its still with its
// description, and a slider moves between the frames that the notebook stores.
//
// # The files
//
//   - live.go: the playgrounds
//   - lecture.go: the sliders of a lecture
//   - wasm.go, lean.go: a Go package as a WebAssembly file, and what it leaves out; in lean/ is
//     what stands in for GoNB's cache
//   - page.go: what stands in pages, and the page of all playgrounds
//   - page/: the scripts and the style
package live
