package nbformat

// Limits on a notebook that [Mend] reads. They bound its memory, and no honest notebook comes near them.
const (
	// maxRead bounds the file. It is nbgrader's own limit (CourseDirectory.max_file_size).
	maxRead = 100 << 20
	// maxKept bounds the JSON without outputs: it is held twice, as text and as values.
	maxKept = 32 << 20
	// maxOutputs bounds the JSON of the outputs that are kept.
	maxOutputs = 16 << 20
	// maxValues bounds the JSON values: one takes about 100 bytes. Each line of a source is one.
	maxValues = 1_000_000
	// maxNesting is ten times the nesting of a notebook with JSON in its outputs.
	maxNesting = 200
	// maxCells is a hundred times the cells of a large assignment.
	maxCells = 10_000
)
