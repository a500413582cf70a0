// Package peer compares mlkit with scikit-learn: its tests draw random problems for
// every model, solve them with both libraries, and compare the results. The package
// contains only tests.
//
// The tests run only if MARGINALIA_TEST includes peer. The first run creates a virtual
// environment in the user's cache (see internal/install/venv), from Python 3.10 or newer and a
// package index. Later runs reuse it.
//
// The tests compare 40 problems by default; MARGINALIA_PEER sets another number:
//
//	MARGINALIA_TEST=peer MARGINALIA_PEER=200 go test -v ./internal/bench/peer
//
// TestLectures asks all libraries that lectures compare mlkit with, on the lectures' data.
package peer
