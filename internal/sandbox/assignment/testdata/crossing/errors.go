package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

var ErrOwn = errors.New("own")

var ErrOther = fmt.Errorf("other: %w", ErrEmpty)

type OwnError struct{ Parts []string }

func (e OwnError) Error() string        { return strings.Join(e.Parts, "/") }
func (e OwnError) Is(target error) bool { return target == ErrOwn }

type hidden struct{ err error }

func (h hidden) Error() string { return "hidden " + h.err.Error() }
func (h hidden) Unwrap() error { return h.err }

func Fail(n int) error {
	switch n {
	case 0:
		return nil
	case 1:
		return ErrEmpty
	case 2:
		return fmt.Errorf("in Fail: %w", ErrShape)
	case 3:
		return &RowError{3, fmt.Errorf("deep: %w", ErrOwn)}
	case 4:
		return errors.Join(ErrOwn, &RowError{4, nil}, Code(7))
	case 5:
		return Code(7)
	case 6:
		return OwnError{[]string{"a", "b"}}
	case 7:
		return hidden{&RowError{7, ErrEmpty}}
	case 8:
		return fmt.Errorf("reading: %w", io.ErrUnexpectedEOF)
	case 9:
		_, err := strconv.Atoi("x\xff")
		return err
	case 10:
		return errors.New("plain\nof two lines")
	case 11:
		var e *RowError
		return e
	case 12:
		return fmt.Errorf("two: %w, %w", ErrEmpty, io.EOF)
	case 13:
		return mat.Condition(1e17)
	case 14:
		return errors.Join(ErrOther, os.ErrNotExist)
	}
	return ErrOwn
}

func Until(f func(int) error) error {
	for i := 0; ; i++ {
		if err := f(i); err != nil {
			return fmt.Errorf("at %d: %w", i, err)
		}
	}
}

// Lines reads as bufio does, which compares with io.EOF.
func Lines(r io.Reader) (lines []string, err error) {
	s := bufio.NewScanner(r)
	for s.Scan() {
		lines = append(lines, s.Text())
	}
	return lines, s.Err()
}

// First reads files until one is there.
func First(f fs.FS, names ...string) (string, error) {
	for _, name := range names {
		text, err := fs.ReadFile(f, name)
		if !errors.Is(err, fs.ErrNotExist) {
			return string(text), err
		}
	}
	return "", fs.ErrInvalid
}

func IsHidden(err error) bool {
	var h hidden
	return errors.As(err, &h) && h.err != nil
}

func Judge(err error) string {
	var r *RowError
	var c Code
	return fmt.Sprint(err, errors.Is(err, ErrEmpty), errors.Is(err, ErrOwn), errors.Is(err, io.EOF), errors.As(err, &r), errors.As(err, &c), errors.Unwrap(err))
}
