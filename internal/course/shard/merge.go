package shard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"marginalia/internal/course/gradebook"
)

// A Report says what a merge did.
type Report struct {
	Merged  int     // submissions whose marks are in the book, now or already
	Older   []error // one for each file whose submission is a later one in the book, by name
	Changes []gradebook.Change
	Refused []error // one for each file that was not merged, by name
}

// Merge brings the results in files into the book, each in a transaction of its own, so a
// merge that was killed is repeated as a whole. Any order of the files gives the same book,
// and so does merging some of them twice: of two submissions of a student the later one
// counts. Two results that mark one submission differently are both refused.
//
// accept refuses a result, or returns the terms of its assignment. Merge returns an error
// when the book fails; what is wrong with a file is in the report.
func Merge(ctx context.Context, b *gradebook.Book, files []string, accept func(Result) (*gradebook.Terms, error)) (report Report, err error) {
	type key struct {
		assignment, student string
		submitted           time.Time
	}
	type read struct {
		file   string
		result Result
		terms  *gradebook.Terms
		text   string
		twin   string // a file that says otherwise
	}
	var all []*read
	first := map[key]*read{}
	for _, file := range files {
		r := read{file: file}
		if r.result, err = Read(file); err != nil {
			report.Refused = append(report.Refused, err)
			continue
		}
		if r.terms, err = accept(r.result); err != nil {
			report.Refused = append(report.Refused, fmt.Errorf("shard: %s: %w", file, err))
			continue
		}
		text, err := json.Marshal(r.result.Scores)
		if err != nil {
			return report, err
		}
		r.text = string(text)
		s := r.result.Scores
		at := key{s.Assignment, s.Student, s.Submitted.UTC()}
		switch other := first[at]; {
		case other == nil:
			first[at] = &r
			all = append(all, &r)
		case other.text != r.text:
			other.twin = file
		}
	}
	for _, r := range all {
		if r.twin != "" {
			report.Refused = append(report.Refused, fmt.Errorf("shard: %s and %s mark the same submission differently: grade it again", r.file, r.twin))
			continue
		}
		changes, err := b.Merge(ctx, r.result.Scores, r.terms)
		switch {
		case errors.Is(err, gradebook.ErrOlder):
			s := r.result.Scores
			report.Older = append(report.Older, fmt.Errorf("shard: %s: %s, %s: %w", r.file, s.Student, s.Assignment, gradebook.ErrOlder))
		case errors.Is(err, gradebook.ErrScores):
			report.Refused = append(report.Refused, fmt.Errorf("shard: %s: %w", r.file, err))
		case err != nil:
			return report, err
		default:
			report.Merged++
			report.Changes = append(report.Changes, changes...)
		}
	}
	return report, nil
}
