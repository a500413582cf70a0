package collect

// Limits on what a student can hand in. They bound the time and memory that one
// hostile submission costs, and no honest one comes near them.
const (
	// maxFile is nbgrader's own limit (CourseDirectory.max_file_size, 100 MB).
	maxFile = 100 << 20

	// maxNotebook bounds the memory for reading one: its JSON is held twice, as
	// text and as values. A lecture of this repository, figures and all, has 2 MB.
	maxNotebook = 32 << 20

	// maxCells is a hundred times the cells of a large assignment.
	maxCells = 10_000

	// maxValues bounds the JSON values of a notebook: one takes about 100 bytes
	// when it is read. Each line of source or output is one.
	maxValues = 1_000_000

	// maxNesting is ten times the nesting of a notebook with JSON in its outputs.
	maxNesting = 200

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
	// ratioFrom bytes. Deflate's best is 1032:1, notebooks and tables of numbers
	// reach 20:1.
	maxRatio  = 200
	ratioFrom = 10 << 20

	// maxDepth and maxPath bound the folders above a file and its whole path in
	// bytes (PATH_MAX of Linux).
	maxDepth = 32
	maxPath  = 4096
)
