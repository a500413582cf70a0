package collect

// Limits on what a student can hand in. They bound the time and memory that one
// hostile submission costs, and no honest one comes near them.
const (
	// maxFile is nbgrader's own limit (CourseDirectory.max_file_size, 100 MB).
	maxFile = 100 << 20

	// maxSubmission bounds the bytes of one attempt, and maxFiles its files: a
	// notebook with its data.
	maxSubmission = 200 << 20
	maxFiles      = 1_000

	// maxEntries bounds the files of one input. 3,000 students with 30 files each
	// stay below.
	maxEntries = 100_000

	// maxDirectory bounds what is read of a zip's table of contents, which is kept
	// in memory: 160 bytes each for maxEntries. The count that a zip states can be
	// wrong.
	maxDirectory = 16 << 20

	// maxRatio bounds how far an entry of a zip may expand once it has more than
	// ratioFrom bytes, unless it begins as a notebook: in one, a cell may have printed
	// the same line a million times. Deflate's best is 1032:1, other notebooks and
	// tables of numbers reach 20:1.
	maxRatio  = 200
	ratioFrom = 10 << 20

	// maxDepth and maxPath bound the folders above a file and its whole path in
	// bytes (PATH_MAX of Linux).
	maxDepth = 32
	maxPath  = 4096
)
