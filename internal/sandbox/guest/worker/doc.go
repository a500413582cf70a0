// Package worker is the guest's side of the wire, inside the WebAssembly module that a
// student's answers are compiled to. Generated code fills a table and calls Serve.
//
// The judge writes a request where alloc said, and calls serve, which returns where
// the reply is. The guest calls back the other way: call takes a request and returns the
// length of the reply, and reply copies it. Compiled code calls pause, too, wherever package guest has put it.
package worker
