// Command bench times mlkit against scikit-learn, Intel's oneDAL, LIBSVM and LIBLINEAR on
// the same samples, in the same run, in turn, on the same cores and with the same stopping
// rule, and prints a table in Markdown of how many times as long the others take:
//
//	go run ./internal/bench
//	go run ./internal/bench --only a,kmeans --runs 7
//	go run ./internal/bench --growth
//
// Each measurement is a process of its own, which reports the time of its fit alone,
// without its start and the reading of the samples, and the peak of its memory, which has
// both, and Python and NumPy with the others. One piece of code computes the objective of
// all solutions anew, in float64: a time counts only if the objective is within 10⁻⁵,
// relatively, of the best.
//
// The time is that of the processors where a case runs on one core, which other programs
// on the machine disturb less, and that of the clock where it runs on more.
//
// The first run installs scikit-learn, oneDAL, LIBSVM and LIBLINEAR into the user's cache,
// as pinned; the latter two are built from source and need a C++ compiler. Builds of these
// two that the system's package manager has installed take part as well (Debian: libsvm3,
// liblinear4). oneDAL is for x86-64 alone, and takes part where it does not hand the
// problem to scikit-learn. What is missing is said, and left out.
//
// figbench times figures against matplotlib. Nothing imports this room.
package main
