// Package conventions asks mlkit and its peers the same small questions: which label has positive scores,
// what a score of 0 is, whether the bias is penalised, what becomes of a constant column, and so on. It
// contains only tests, which write the answers into docs/peers.md.
//
// Nothing on that page is from memory. A question (questions_test.go) is a problem of a few samples and a
// rule that turns what a library says of them into words. An adapter (python.py, js/main.js,
// mlkit_test.go) only trains and predicts. The libraries are pinned (python.txt, js/package-lock.json,
// and ../libsvm.txt).
//
// The row of mlkit is tested by every go test. The others are asked again in the tier peer:
//
//	MARGINALIA_TEST=peer go test ./internal/bench/conventions [-update]
package conventions
