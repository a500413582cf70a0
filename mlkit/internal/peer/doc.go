// Package peer holds mlkit against scikit-learn: its tests draw random problems for
// every model, let both libraries solve them, and compare. It has nothing but tests.
//
// The first run makes a virtual environment in the user's cache (see internal/pyenv);
// that needs Python 3.10 or newer and a package index. Later ones find it there.
//
// The tests compare 40 problems, or as many as MARGINALIA_PEER says:
//
//	MARGINALIA_PEER=200 go test -v ./mlkit/internal/peer
package peer
