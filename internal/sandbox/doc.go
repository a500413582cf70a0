// Package sandbox is the wall between hidden tests and answers. No answer reads a test, a mark or
// the machine: an answer is a WebAssembly guest, and the tests run in another process.
//
//	assignment  makes two programs of a lecturer's notebook: the judge with the tests, the guest with
//	            a student's answers
//	host        what the judge's tests call: it runs them against a guest
//	guest       the guest: its engine, the wire, the code that is generated for both sides
//	verdict     what the judge says of a submission, as data
//
// Marks follow from verdicts in course/grade. After a change in this room run the attacks of
// course/grade/testdata: MARGINALIA_TEST=long go test ./internal/course/grade -run TestHostile. An
// edit recompiles the judge of every assignment.
package sandbox
