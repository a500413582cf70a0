// Package booktest looks into gradebooks for tests.
package booktest

import (
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"
	"testing"

	_ "github.com/ncruces/go-sqlite3/driver"
	_ "github.com/ncruces/go-sqlite3/embed"
)

// Sound ends the test unless SQLite finds the book at path sound, and each row that refers
// to another finds it. What a process that was killed had not committed is rolled back.
func Sound(t testing.TB, path string) {
	t.Helper()
	dsn := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: "mode=rw"}
	db, err := sql.Open("sqlite3", dsn.String())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var sound string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&sound); err != nil || sound != "ok" {
		t.Fatalf("%s: integrity_check says %q, %v", path, sound, err)
	}
	var strays sql.NullString
	if err := db.QueryRow("PRAGMA foreign_key_check").Scan(&strays, new(any), new(any), new(any)); !errors.Is(err, sql.ErrNoRows) {
		t.Fatalf("%s: rows of %q refer to nothing: %v", path, strays.String, err)
	}
}
