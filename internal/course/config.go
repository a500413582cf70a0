package course

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zones are the same on every machine

	"github.com/pelletier/go-toml/v2"
)

// config is course.toml.
type config struct {
	Course     string                `toml:"course"`
	Zone       zone                  `toml:"zone"`
	Imports    []string              `toml:"imports"`
	Outputs    *bool                 `toml:"outputs"`
	HandIn     string                `toml:"hand_in"`
	Limits     limits                `toml:"limits"`
	Late       late                  `toml:"late"`
	Assignment map[string]assignment `toml:"assignment"`
}

// assignment is a table [assignment.NAME]. What it does not set is the course's.
type assignment struct {
	Due        any            `toml:"due"`
	Extensions map[string]any `toml:"extensions"` // by student: a duration, or a due date
	Imports    []string       `toml:"imports"`    // beside the course's
	Public     []string       `toml:"public"`
	Outputs    *bool          `toml:"outputs"`
	HandIn     *string        `toml:"hand_in"`
	Limits     limits         `toml:"limits"`
	Late       late           `toml:"late"`
}

type limits struct {
	Time     *float64 `toml:"time"`
	Memory   *memory  `toml:"memory"`
	Cell     *clock   `toml:"cell"`
	Notebook *clock   `toml:"notebook"`
}

type late struct {
	Grace  *Span   `toml:"grace"`
	Policy *Policy `toml:"policy"`
}

func defaults() config {
	f, m, none, at, yes := 20.0, memory(256<<20), Span{}, Policy{}, true
	cell, notebook := clock(10*time.Second), clock(time.Minute)
	return config{
		Zone: zone{time.UTC},
		Imports: strings.Fields(`bytes cmp container/heap container/list errors fmt image image/color iter maps math math/big math/bits
			math/cmplx math/rand math/rand/v2 slices sort strconv strings sync time unicode unicode/utf8
			gonum.org/v1/gonum/... marginalia/datasets marginalia/mlkit/... marginalia/plotting/...`),
		Outputs: &yes,
		Limits:  limits{&f, &m, &cell, &notebook},
		Late:    late{&none, &at},
	}
}

// readTOML reads course.toml and reports whether it is there. A key that it should
// not have is an error with its line.
func (c *Course) readTOML() (bool, error) {
	file := filepath.Join(c.Dir, "course.toml")
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("course: %w", err)
	}
	defer f.Close()
	return true, c.decode(file, f)
}

func (c *Course) decode(file string, r io.Reader) error {
	err := toml.NewDecoder(r).DisallowUnknownFields().Decode(&c.config)
	if strict := (*toml.StrictMissingError)(nil); errors.As(err, &strict) {
		var all []error
		for _, e := range strict.Errors {
			line, _ := e.Position()
			all = append(all, fmt.Errorf("course: %s, line %d: unknown key %s", file, line, strings.Join(e.Key(), ".")))
		}
		return errors.Join(all...)
	}
	if at := (*toml.DecodeError)(nil); errors.As(err, &at) {
		line, _ := at.Position()
		return fmt.Errorf("course: %s, line %d: %s", file, line, strings.TrimPrefix(at.Error(), "toml: "))
	}
	if err != nil {
		return fmt.Errorf("course: %s: %w", file, err)
	}
	c.ID = c.config.Course
	for name := range c.config.Assignment {
		if _, err := c.settings(name); err != nil {
			return fmt.Errorf("course: %s: assignment.%s%w", file, name, err)
		}
	}
	return nil
}

// A zone is a time zone by its name in the IANA database.
type zone struct{ *time.Location }

func (z *zone) UnmarshalText(b []byte) (err error) {
	if z.Location, err = time.LoadLocation(string(b)); err != nil || string(b) == "Local" {
		return fmt.Errorf("zone %q: want a name such as Europe/Zurich", b)
	}
	return nil
}

// memory is a number of bytes.
type memory int64

var sizes = map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}

func (m *memory) UnmarshalText(b []byte) error {
	n, unit, _ := strings.Cut(string(b), " ")
	count, err := strconv.ParseInt(n, 10, 32)
	if err != nil || count <= 0 || sizes[unit] == 0 {
		return fmt.Errorf("memory %q: want a number and a unit, such as 256 MiB", b)
	}
	*m = memory(count * sizes[unit])
	return nil
}
