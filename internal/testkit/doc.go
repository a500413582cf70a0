// Package testkit has what tests of all rooms share; programs do not import it.
//
//	tier       which tests are asked for: MARGINALIA_TEST
//	property   checks properties over values drawn from a fixed seed
//	must       ends a test at an error that it does not expect
//	owncache   a cache of its own for a test
//	testfile   reads and writes files, or ends the test
//	reads      keeps the list short of what tests have read, which the go command goes through
//	smalldisk  a disk of few bytes for a program that a test runs
//
// What a test needs of one package stands beside that package, as httptest stands beside net/http:
// install/lab/labtest, kernel/jupyter/jupytertest, base/setup/setuptest, base/repo/repotest.
package testkit
