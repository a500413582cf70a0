// Package course is the folder of a course, in nbgrader's layout:
//
//	course.toml                          what the lecturer sets (see [Settings])
//	nbgrader_config.py                   the same for nbgrader's own tools
//	source/NAME/*.ipynb                  assignment NAME with solutions and all tests, and data files
//	release/NAME/*.ipynb                 what students get
//	attempts/STUDENT/NAME/ATTEMPT/…      everything that they handed in (see course/collect)
//	submitted/STUDENT/NAME/*.ipynb       the attempt that counts
//	autograded/STUDENT/NAME/*.ipynb      that, with what it printed and the verdicts
//	feedback/STUDENT/NAME/…              what they get back
//	gradebook.db                         scores and comments
//
// A folder that nbgrader made serves as well: it has no course.toml, so its settings
// are the defaults.
//
// Its steps are the packages below:
//
//	release    what students get, searched for what would give a solution away
//	pages      that for a browser, in which Go runs, with a button to hand in
//	collect    what they hand in, from learning management systems and folders
//	check      tries answers on the visible tests, as students do
//	grade      marks submissions through the room sandbox
//	feedback   the pages that students get back
//	platforms  grades as CSV and results for learning management systems, late policies
//	report     an assignment summed up; similar finds pairs of solutions that are alike
//	shard      results of other machines
//	formgrade  nbgrader's formgrader on the course
//	gradebook  gradebook.db in nbgrader's schema; moment reads the times of other tools
//
// After a change to how marks are given, run MARGINALIA_TEST=long go test ./internal/course/grade.
package course
