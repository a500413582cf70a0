// Package peer holds mlkit against scikit-learn: its tests draw random problems for
// every model, let both libraries solve them, and compare. It has nothing but tests.
//
// They run where MARGINALIA_TEST asks for peer. The first run makes a virtual environment
// in the user's cache (see internal/venv), from Python 3.10 or newer and a package index;
// later runs find it there.
//
// The tests compare 40 problems, or as many as MARGINALIA_PEER says:
//
//	MARGINALIA_TEST=peer MARGINALIA_PEER=200 go test -v ./mlkit/internal/peer
package peer
