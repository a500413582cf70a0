// Command play is the playgrounds of the site: figures whose points and settings a reader
// changes. The models are those of mlkit and the figures those of plotting, compiled to
// WebAssembly. The page around them (internal/site/live/page) passes on what the pointer and
// the keyboard do, and shows the answers.
//
// In a worker of a page the program serves a [Session] for each playground. As a process it
// prints the playgrounds as JSON: `-stills` with the figure of the first preset, for the
// page that package live makes, and `-numbers` with the numbers of all presets, which the tests
// compare with those of WebAssembly.
//
// # A playground
//
// A [Playground] is a file of its own: the section of a lecture that links to it, its presets from
// the lectures' data, its knobs, and Draw, which turns a [Scene] into a figure and its numbers.
// Everything else is shared: playground.go has the types, state.go the state and its link,
// session.go the events and undo, keys.go the keyboard, place.go the way from the page to the
// axes, and answer.go what a page gets.
//
// # The files
//
//   - perceptron.go, pocket.go, outlier.go, lda.go, margin.go, kernels.go, smo.go, kmeans.go,
//     spectral.go, degree.go, descent.go: the playgrounds
//   - main.go, main_js.go: the program, as a process and in a worker
package main
