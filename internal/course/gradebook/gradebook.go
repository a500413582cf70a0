// Package gradebook reads and writes gradebook.db, the SQLite database of a course, in the
// schema of nbgrader 0.9.6. nbgrader's db and export, its formgrader and this package work
// on the same file, also at the same time.
//
// Whatever belongs together is one transaction: an assignment with its cells
// ([Book.SetAssignment]), a submission with its marks ([Book.Save]). A process that is
// killed leaves each of them whole or absent. What people enter in formgrader (marks,
// extra credit, comments, flags) is never overwritten.
//
// The file keeps its journal mode, which is nbgrader's, a rollback journal. A write-ahead
// log would let readers go on while another writes, but needs memory that all processes
// share, so it fails on NFS, where homes of a hub often lie; and a transaction here takes
// milliseconds.
//
// SQLite is github.com/ncruces/go-sqlite3 v0.32.0: WebAssembly, which wazero compiles when
// the first book is opened (a second of processor time) and keeps in the user's cache (later
// 60 ms). It locks files as every SQLite does. modernc.org/sqlite v1.61.1 and this library's
// v0.36.0 are SQLite translated to Go. Go's compiler took 28 and 33 seconds of processor time
// for them, 10 for this one with wazero, in every fresh clone, for each system and for the
// race detector, and before the first start of JupyterLab.
package gradebook

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"

	"github.com/ncruces/go-sqlite3"
)

// A Book is an open gradebook. Its methods may be called from several goroutines.
type Book struct {
	path string
	db   *sql.DB
}

//go:embed schema.sql
var schema string

// revision is the version of the schema, as nbgrader's migrations (by alembic) call it.
const revision = "e43177bfe90b"

// older are the revisions before it: nbgrader 0.9.6 upgrades them.
var older = []string{"b6d005d67074", "724cde206c17", "50a4d84c131a", "282d30a0218e", "167914646830"}

// Create opens the gradebook at path, which it makes if there is none.
func Create(ctx context.Context, path string) (*Book, error) { return open(ctx, path, "rwc") }

// Open opens the gradebook at path. If there is none the error is fs.ErrNotExist.
func Open(ctx context.Context, path string) (*Book, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	return open(ctx, path, "rw")
}

func open(ctx context.Context, path, mode string) (*Book, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := prepare(); err != nil {
		return nil, fmt.Errorf("gradebook: SQLite does not start: %w", err)
	}
	dsn := url.URL{Scheme: "file", Path: filepath.ToSlash(abs), RawQuery: url.Values{
		"mode": {mode},
		"_pragma": {
			"busy_timeout(100)", // milliseconds; patiently goes on
			"foreign_keys(1)",
			"synchronous(EXTRA)", // after a power cut, too, what was committed is there
		},
	}.Encode()}
	db, err := sql.Open("sqlite3", dsn.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // goroutines queue here, in order, and not for the lock of the file
	b := &Book{path, db}
	if err = b.check(ctx, mode == "rwc"); err != nil {
		db.Close()
		return nil, err
	}
	return b, nil
}

// Path is the file of the book.
func (b *Book) Path() string { return b.path }

// Close ends the use of the book.
func (b *Book) Close() error { return b.db.Close() }

// check makes the tables of a new book and refuses one that another version made.
func (b *Book) check(ctx context.Context, create bool) error {
	var tables int
	var made string
	err := b.read(ctx, func(c *sql.Conn) error {
		err := c.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master WHERE type = 'table'").Scan(&tables)
		if err != nil || tables == 0 {
			return err
		}
		var has bool
		err = c.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master WHERE name = 'alembic_version'").Scan(&has)
		if err != nil || !has {
			return err
		}
		err = c.QueryRowContext(ctx, "SELECT version_num FROM alembic_version").Scan(&made)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case tables == 0 && create:
		err := b.write(ctx, func(c *sql.Conn) error {
			// Another process may have made them while this one waited.
			if err := c.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master").Scan(&tables); err != nil || tables > 0 {
				return err
			}
			_, err := c.ExecContext(ctx, schema)
			return err
		})
		if err != nil || tables == 0 {
			return err
		}
		return b.check(ctx, false)
	case tables == 0:
		return fmt.Errorf("gradebook: %s is empty", b.path)
	case made == revision:
		return nil
	case made == "" || slices.Contains(older, made):
		return fmt.Errorf("gradebook: %s was made by an older nbgrader (schema %q, want %s): run nbgrader db upgrade in the course's folder with nbgrader 0.9.6; it keeps a copy", b.path, made, revision)
	}
	return fmt.Errorf("gradebook: %s was made by a newer nbgrader: its schema is %q, this program knows %s (nbgrader 0.9.6)", b.path, made, revision)
}

// write runs f in a transaction: all that it writes is there afterwards, or nothing. The
// lock is taken before f reads, so nobody changes what f decides by.
func (b *Book) write(ctx context.Context, f func(*sql.Conn) error) error {
	return b.transact(ctx, f, "BEGIN IMMEDIATE")
}

// read runs f, which sees one state of the book throughout.
func (b *Book) read(ctx context.Context, f func(*sql.Conn) error) error {
	return b.transact(ctx, f, "BEGIN", "SELECT count(*) FROM sqlite_master") // the first reading takes the lock
}

func (b *Book) transact(ctx context.Context, f func(*sql.Conn) error, begin ...string) error {
	var c *sql.Conn
	err := b.patiently(ctx, func() (err error) { // a connection that is new reads the schema
		c, err = b.db.Conn(ctx)
		return err
	})
	if err == nil {
		defer c.Close()
		for _, statement := range begin {
			if err == nil {
				err = b.patiently(ctx, func() error { _, err := c.ExecContext(ctx, statement); return err })
			}
		}
		if err == nil {
			err = f(c)
		}
		if err == nil {
			err = b.patiently(ctx, func() error { _, err := c.ExecContext(ctx, "COMMIT"); return err })
		}
		if err != nil {
			c.ExecContext(context.WithoutCancel(ctx), "ROLLBACK") // fails if SQLite has done it
		}
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, sqlite3.NOTADB):
		return fmt.Errorf("gradebook: %s is not an SQLite database", b.path)
	case b.full(err):
		return fmt.Errorf("gradebook: the disk of %s is full: make room, then repeat the command; what was stored before is whole (%w)", b.path, err)
	case errors.Is(err, sqlite3.CANTOPEN):
		return fmt.Errorf("gradebook: %w", &fs.PathError{Op: "open", Path: b.path, Err: err})
	}
	return fmt.Errorf("gradebook: %s: %w", b.path, err)
}
