package gradebook

import (
	"context"
	"database/sql"
	"encoding/hex"
	"time"

	"github.com/google/uuid"
)

// newID is an id as nbgrader makes them: a random UUID, 32 hexadecimal digits.
func newID() string {
	id := uuid.New()
	return hex.EncodeToString(id[:])
}

// stamp is a time as SQLAlchemy stores it, in UTC; the zero time is NULL.
func stamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format("2006-01-02 15:04:05.000000")
}

// SQLAlchemy stores a span of time as the time that it is after this one.
var epoch = time.Unix(0, 0).UTC()

// queryRows calls scan for each row of a query.
func queryRows(ctx context.Context, c *sql.Conn, scan func(*sql.Rows) error, query string, args ...any) error {
	rows, err := c.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// upsert returns the id of the row that the query finds, or inserts one with a new id, which
// is the first parameter of the statement insert; args are those of both.
func upsert(ctx context.Context, c *sql.Conn, find, insert string, args ...any) (id string, err error) {
	err = c.QueryRowContext(ctx, find, args...).Scan(&id)
	if err != sql.ErrNoRows {
		return id, err
	}
	id = newID()
	_, err = c.ExecContext(ctx, insert, append([]any{id}, args...)...)
	return id, err
}
