package modelfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
)

// Save writes a model, or what it points to, to the named file. notes may be nil. A file that is
// there already is replaced whole or, if there is an error, not at all; it keeps its
// permissions, and a symbolic link stays one.
func Save(name string, model any, notes Notes) error {
	head, data, err := encode(model, notes)
	if err == nil {
		err = replace(name, head, data)
	}
	return named(name, err)
}

// Load returns the model in the named file. M is the type of the model or a pointer to it, such
// as *svm.Model. The package comment says which errors there are.
func Load[M any](name string) (M, error) {
	m, err := load(name, func(r io.Reader) (any, error) { return decode(r, reflect.TypeFor[M]()) })
	if err != nil {
		var none M
		return none, err
	}
	return m.(M), nil
}

// LoadOneOf is Load for a model of one of several types, as ReadOneOf is Read.
func LoadOneOf[I any](name string, types ...I) (I, error) {
	m, err := load(name, func(r io.Reader) (any, error) { return decode(r, typesOf(types)...) })
	if err != nil {
		var none I
		return none, err
	}
	return m.(I), nil
}

// LoadHeader returns what the named file holds, without decoding the model. It checks the length
// and the checksum of the file.
func LoadHeader(name string) (Header, error) {
	return load(name, func(r io.Reader) (Header, error) {
		h, _, err := decodeFile(r)
		return h, err
	})
}

// load returns what read finds in the named file.
func load[T any](name string, read func(r io.Reader) (T, error)) (T, error) {
	var none T
	f, err := os.Open(name)
	if err != nil {
		return none, named(name, err)
	}
	defer f.Close()
	v, err := read(f)
	if err != nil {
		return none, named(name, err)
	}
	return v, nil
}

// named begins an error with the name of the package and that of the file, in place of the one
// that package os mentions.
func named(name string, err error) error {
	switch e := err.(type) {
	case nil:
		return nil
	case *fs.PathError:
		err = e.Err
	case *os.LinkError:
		err = e.Err
	}
	return fmt.Errorf("modelfile: %s: %w", name, err)
}

// replace makes data the content of the named file, by renaming a temporary one.
func replace(name string, data ...[]byte) error {
	target, err := filepath.EvalSymlinks(name)
	if errors.Is(err, fs.ErrNotExist) {
		target, err = name, nil
	}
	if err != nil {
		return err
	}
	old, err := os.Stat(target)
	if err == nil && !old.Mode().IsRegular() {
		return fmt.Errorf("it is no regular file (%v), want one, or a new name", old.Mode())
	}
	f, err := temporary(target)
	if err != nil {
		return err
	}
	for _, part := range data {
		if err == nil {
			_, err = f.Write(part)
		}
	}
	if err == nil && old != nil {
		err = f.Chmod(old.Mode().Perm())
	}
	if err == nil {
		err = f.Sync() // or a crash may leave the new name with no content
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), target)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// temporary creates a file beside target, with the permissions of a new file, which
// os.CreateTemp does not give.
func temporary(target string) (*os.File, error) {
	for i := 0; ; i++ {
		name := filepath.Join(filepath.Dir(target), fmt.Sprintf(".%s.%d", filepath.Base(target), i))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}
