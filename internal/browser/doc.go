// Package browser runs the cells of notebooks in a page, with nothing installed: the Go compiler and
// linker are WebAssembly there.
//
//   - toolchain makes the files: the tools and the packages, from the Go that runs it
//   - manifest says which files there are
//   - kernel composes the program of a cell, has it built and run, and says what went wrong;
//     kernel/worker is its program for pages
//   - complete says which names may stand at the cursor; complete/worker is its program
//   - lab makes a JupyterLab of JupyterLite, the kernel and an extension that connects them
//   - page has the scripts: the workers of the kernel, the linker and a cell, their file systems, and
//     the page's side
//   - editor bundles the editor, CodeMirror
//
// After an edit run MARGINALIA_TEST=browser go test -tags browser ./internal/browser. It builds the
// tools once for each version of Go, in about two minutes.
package browser
