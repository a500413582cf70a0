// Package live makes the living parts of the site: the playgrounds, and the sliders of lectures,
// as Go programs in WebAssembly with the scripts that pages need.
//
//	all, err := live.Build(ctx, root, dir)           // the playgrounds
//	page += all.Fragment("perceptron", "../live/")   // in a page, dir is ../live/
//
//	n, err := live.Lecture(ctx, root, "notebooks/04-margins.ipynb", dir, "04-margins", nil)
//
// A page with playgrounds loads play.js. A lecture's page gives its sliders to what enlivener of
// sliders.js returns for the list that Lecture wrote.
//
// # What a page may do
//
// The scripts work under a policy that admits scripts, workers and styles of the site alone, and
// WebAssembly ('wasm-unsafe-eval'). They load only what Build and Lecture wrote, and only when it
// comes into view or the address names it. Without JavaScript or WebAssembly a playground is its still with its
// description, and a slider moves between the frames that the notebook stores.
//
// # The files
//
//   - live.go: the playgrounds
//   - lecture.go: the sliders of a lecture
//   - wasm.go, lean.go, leaner.go: a Go package as a WebAssembly file, what it leaves out, and
//     the modules that it takes without what no page uses; in lean/ is what stands in for GoNB's
//     cache
//   - page.go: what stands in pages
//   - page/: the scripts and the style
package live
