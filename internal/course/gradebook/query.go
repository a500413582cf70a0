package gradebook

// The queries that saving one submission makes. nbgrader's tables have indices for their keys
// alone, and SQLite, which does not know how many rows they have, likes to begin with the
// largest one. A CROSS JOIN goes from left to right (sqlite.org, "Query Optimizer Overview"),
// here always by a key, so the time for one submission does not grow with their number.
const (
	itsNotebooks = " FROM submitted_assignment a CROSS JOIN notebook n ON n.assignment_id = a.assignment_id"
	itsCells     = itsNotebooks + ` CROSS JOIN submitted_notebook s ON s.notebook_id = n.id AND s.assignment_id = a.id
		CROSS JOIN base_cell b ON b.notebook_id = n.id`

	notebooksOf = "SELECT n.name" + itsNotebooks + " WHERE a.id = ?"

	gradesOf = `SELECT n.name, b.name, g.id, g.auto_score, g.manual_score, g.needs_manual_grade,
		b.type = 'TaskCell' OR EXISTS (SELECT 1 FROM base_cell x WHERE x.notebook_id = n.id AND x.name = b.name AND x.type = 'SolutionCell')` +
		itsCells + " CROSS JOIN grade g ON g.cell_id = b.id AND g.notebook_id = s.id WHERE a.id = ? ORDER BY n.rowid, b.rowid"

	commentsOf = "SELECT n.name, b.name, k.id" + itsCells + " CROSS JOIN comment k ON k.cell_id = b.id AND k.notebook_id = s.id WHERE a.id = ?"

	scoresOf = `SELECT s.id, total(coalesce(g.manual_score, g.auto_score, 0) +
			CASE WHEN coalesce(g.manual_score, g.auto_score) IS NULL THEN 0 ELSE coalesce(g.extra_credit, 0) END)` +
		itsCells + " CROSS JOIN grade g ON g.cell_id = b.id AND g.notebook_id = s.id WHERE a.id = ? GROUP BY s.id"
)

// lacking finds what a submission should have and has not, and inserts it.
var lacking = []struct{ find, insert string }{
	{"SELECT a.id, n.id" + itsNotebooks + " WHERE NOT EXISTS (SELECT 1 FROM submitted_notebook x WHERE x.assignment_id = a.id AND x.notebook_id = n.id)",
		"INSERT INTO submitted_notebook (id, assignment_id, notebook_id, flagged) VALUES (?, ?, ?, 0)"},
	{"SELECT s.id, b.id" + itsCells + " WHERE b.type IN ('GradeCell', 'TaskCell') AND NOT EXISTS (SELECT 1 FROM grade x WHERE x.notebook_id = s.id AND x.cell_id = b.id)",
		"INSERT INTO grade (id, notebook_id, cell_id, needs_manual_grade) VALUES (?, ?, ?, 1)"},
	{"SELECT s.id, b.id" + itsCells + " WHERE b.type IN ('SolutionCell', 'TaskCell') AND NOT EXISTS (SELECT 1 FROM comment x WHERE x.notebook_id = s.id AND x.cell_id = b.id)",
		"INSERT INTO comment (id, notebook_id, cell_id) VALUES (?, ?, ?)"},
}
