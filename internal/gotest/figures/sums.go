package figures

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/picture"
)

// A sums file has a line for each figure, "SHA-256 of the SVG, rounded  name", and
// says on what kind of machine they were drawn. That kind draws exactly the same
// again. Others may differ in the last digits, and there the pictures in the
// notebooks decide, within what processors differ by.

const (
	sumsHead  = "# SHA-256 of each figure's SVG, its numbers rounded to 1/100 point and its images as pixels. Written by: go run . figures --update\n"
	drawnHead = "# Drawn on: "
)

var (
	fraction = regexp.MustCompile(`-?\d+\.\d+`)
	embedded = regexp.MustCompile(`data:image/png;base64,[A-Za-z0-9+/=]+`)
)

// sum returns the sum of an SVG document. Of an image in it the pixels count: how they
// are compressed differs between releases of Go.
func sum(svg []byte) string {
	pixels := embedded.ReplaceAllFunc(svg, func(image []byte) []byte {
		_, data, _ := bytes.Cut(image, []byte(","))
		file, _ := base64.StdEncoding.DecodeString(string(data)) // what is no base64 is no picture
		img, err := picture.Decode(file)
		if err != nil {
			return image
		}
		return fmt.Appendf(nil, "%v %x", img.Rect.Size(), sha256.Sum256(img.Pix))
	})
	rounded := fraction.ReplaceAllFunc(pixels, func(number []byte) []byte {
		x, err := strconv.ParseFloat(string(number), 64)
		if err != nil {
			return number
		}
		x = math.Round(100*x) / 100
		return strconv.AppendFloat(nil, x+0, 'f', 2, 64) // +0: no -0.00
	})
	return fmt.Sprintf("%x", sha256.Sum256(rounded))
}

// sum returns that of the figure's SVG.
func (c *Collection) sum(f Figure) (string, error) {
	svg, err := os.ReadFile(filepath.Join(c.dir, f.Files["svg"]))
	if err != nil {
		return "", fmt.Errorf("figures: %w", err)
	}
	return sum(svg), nil
}

// WriteSums records the sums of the collection, which has SVG files, and
// the kind of this machine.
func (c *Collection) WriteSums(file string) error {
	kind, err := machine(filepath.Dir(file))
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteString(sumsHead + drawnHead + kind + "\n")
	for _, f := range c.Figures {
		sum, err := c.sum(f)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s  %s\n", sum, f.Name)
	}
	return atomicfile.Write(file, b.Bytes())
}

// readSums returns the sums in file by figure, and the kind of machine that
// drew them, "" if the file does not say.
func readSums(file string) (sums map[string]string, kind string, err error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", fmt.Errorf("figures: there is no %s to compare with: go run . figures --update writes it", file)
	}
	if err != nil {
		return nil, "", fmt.Errorf("figures: %w", err)
	}
	sums = map[string]string{}
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if drawn, ok := strings.CutPrefix(line, drawnHead); ok {
			kind = drawn
		}
		if line == "" || line[0] == '#' {
			continue
		}
		s, name, ok := strings.Cut(line, "  ")
		if _, err := hex.DecodeString(s); !ok || err != nil || len(s) != 64 {
			return nil, "", fmt.Errorf("figures: %s:%d: %q: want a sum of 64 hexadecimal digits, two spaces and a name", file, i+1, line)
		}
		sums[name] = s
	}
	return sums, kind, nil
}

// A Change is a figure that is not as it was recorded.
type Change struct {
	Name string // of the figure
	Cell string // "notebook#cell", or ""
	Why  string // how far the pictures are apart, or what else is wrong

	Want, Got []byte // files of the pictures; nil if there is none
}

// Check compares the collection, which has SVG and PNG files, with the
// sums in file. On the kind of machine that recorded them a figure whose sum
// differs has changed. Elsewhere it is the same if its pixels are those stored in
// the notebook, within what processors differ by. all says that the collection is
// of all notebooks: what is recorded and was not drawn is a change then.
func (c *Collection) Check(file string, all bool) ([]Change, error) {
	want, recorded, err := readSums(file)
	if err != nil {
		return nil, err
	}
	kind, err := machine(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	var changes []Change
	for _, f := range c.Figures {
		got, err := c.sum(f)
		if err != nil {
			return nil, err
		}
		old, known := want[f.Name]
		delete(want, f.Name)
		switch {
		case !known:
			change, err := c.change(f, "it is new: no sum is recorded")
			if err != nil {
				return nil, err
			}
			changes = append(changes, *change)
		case old != got:
			change, err := c.compare(f, recorded == kind)
			if err != nil {
				return nil, err
			}
			if change != nil {
				changes = append(changes, *change)
			}
		}
	}
	if all && len(c.Left) == 0 {
		for _, name := range slices.Sorted(maps.Keys(want)) {
			changes = append(changes, Change{Name: name, Why: "it is recorded, and no cell shows it"})
		}
	}
	return changes, nil
}

// change returns the change of a figure for a reason, with what was drawn.
func (c *Collection) change(f Figure, why string) (*Change, error) {
	got, err := os.ReadFile(filepath.Join(c.dir, f.Files["png"]))
	if err != nil {
		return nil, fmt.Errorf("figures: %w", err)
	}
	return &Change{Name: f.Name, Cell: f.Notebook + "#" + f.Cell, Why: why, Want: f.stored, Got: got}, nil
}

// compare holds a figure, whose sum differs, against the picture in its
// notebook. It returns nil if they are the same within what processors differ by,
// unless they must be exactly the same.
func (c *Collection) compare(f Figure, exactly bool) (*Change, error) {
	change, err := c.change(f, "its sum differs, and the notebook holds no picture of it")
	if err != nil || f.stored == nil {
		return change, err
	}
	got, err := picture.Decode(change.Got)
	if err != nil {
		return nil, fmt.Errorf("figures: %s: %w", f.Files["png"], err)
	}
	want, err := picture.Decode(f.stored)
	if err != nil {
		return nil, fmt.Errorf("figures: %s#%s: %s: %w", f.Notebook, f.Cell, f.Name, err)
	}
	d := picture.Compare(want, got)
	if d.Same() && !exactly {
		return nil, nil
	}
	change.Why = d.String()
	if d.Same() {
		change.Why = "its sum differs, and it was recorded on a machine of this kind; beside the picture in the notebook " + change.Why
	}
	return change, nil
}

// nameKey is the key of an output's metadata under which plotting.Show leaves
// the name of the figure.
const nameKey = "figure"

// of returns the data of the output that shows the figure, nil if none does.
func of(outputs []nbformat.Output, name string) map[string]any {
	for _, o := range outputs {
		if o.Metadata[nameKey] == name {
			return o.Data
		}
	}
	return nil
}

// stored returns the PNG file of a figure that the notebook holds.
func stored(c *nbformat.Cell, name string) []byte {
	text, _ := of(c.Outputs, name)["image/png"].(string)
	file, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(file) == 0 {
		return nil
	}
	return file
}
