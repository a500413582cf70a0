// Package live makes the living parts of the site: the playgrounds, and the sliders of lectures,
// as Go programs in WebAssembly with the scripts that pages need.
//
//	l, err := live.Build(ctx, root, dir)           // the playgrounds
//	…
//	page += l.Fragment("perceptron", "../live/")   // in a page, dir is ../live/
//	page += live.Script("../live/play.js")         // once, at the end of the page
//
//	n, err := live.Lecture(ctx, root, "notebooks/04-margins.ipynb", dir)
//	…
//	page += live.Sliders("04-margins", "../live/") // at the end of a lecture's page with n > 0
//
// The page of a lecture has the stored output of each figure as nbconvert's template has it: the
// still, and after it a script of the type application/vnd.marginalia.slider or .figure (see
// internal/lab/template/marginalia/page.j2). Sliders loads figure.js, which shows these, so the
// page must not load it from elsewhere too.
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
