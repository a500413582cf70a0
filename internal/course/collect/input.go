package collect

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A handin is what a student handed in at once.
type handin struct {
	owner
	from     string    // the input
	place    string    // there: the folder or file that says whose it is
	files    []file    // their paths are the student's own
	students []whose   // whose it is, when that is settled
	note     string    // what speaks against it
	there    time.Time // since when it is in submitted/, if it is there already
}

// open lists what one input holds, by student; close ends reading its files. What
// belongs to nobody is reported as refused.
func (c *collector) open(input string) (list []*handin, close func(), err error) {
	name, err := filepath.Abs(input)
	if err != nil {
		return nil, nil, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, nil, fmt.Errorf("collect: %w", err)
	}
	base := filepath.Base(name)
	if info.IsDir() {
		root, err := os.OpenRoot(name)
		if err != nil {
			return nil, nil, fmt.Errorf("collect: %w", err)
		}
		files, err := readFolder(root)
		if err != nil {
			root.Close()
			return nil, nil, fmt.Errorf("collect: %s: %w", input, err)
		}
		for i := range files {
			files[i].path = append([]string{base}, files[i].path...)
		}
		list, more := c.exports(input, files)
		return list, func() { root.Close(); more() }, nil
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("collect: %s is neither a folder nor a file", input)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, fmt.Errorf("collect: %w", err)
	}
	if _, _, students := ownerOf([]string{base}, c.Assignment, c.Course.Zone()); !students && isZip(base) && c.Student == "" && c.stem(base) == nil {
		files, err := readZip(f, info.Size())
		if err != nil {
			f.Close()
			return nil, nil, fmt.Errorf("collect: %s: %w", input, err)
		}
		return c.sort(input, files), func() { f.Close() }, nil
	}
	one := file{path: []string{base}, size: info.Size(), open: func() (io.ReadCloser, error) { return os.Open(name) }}
	if info.Size() > maxFile {
		one.refused = fmt.Sprintf("it has %s, more than %s", bytesOf(info.Size()), bytesOf(maxFile))
	}
	return c.sort(input, []file{one}), func() { f.Close() }, nil
}

// exports sorts the files of a folder by student, and those of a system's exports
// that lie in it as zips, as in nbgrader's downloaded/NAME/archive.
func (c *collector) exports(input string, files []file) (list []*handin, close func()) {
	var open []io.Closer
	rest := slices.DeleteFunc(files, func(f file) bool {
		if len(f.path) != 2 || !isZip(f.path[1]) || f.refused != "" || c.Student != "" {
			return false
		}
		if _, _, students := ownerOf(f.path[1:], c.Assignment, c.Course.Zone()); students {
			return false
		}
		name := filepath.Join(input, f.path[1])
		z, err := os.Open(name)
		if err != nil {
			return false
		}
		inside, err := readZip(z, f.size)
		if _, read := c.convention(inside); err != nil || read == nil {
			z.Close()
			return false
		}
		open = append(open, z)
		list = append(list, c.sort(name, inside)...)
		return true
	})
	list = append(list, c.sort(input, rest)...)
	return list, func() {
		for _, f := range open {
			f.Close()
		}
	}
}

// convention returns how many folders lie around what a system's names tell apart, and
// how these are read: half of the files there have such names, or nil.
func (c *collector) convention(files []file) (around int, read reader) {
	read = func(path []string) (owner, []string, bool) { return ownerOf(path, c.Assignment, c.Course.Zone()) }
	for around = range 4 {
		fit, here := 0, 0
		for _, f := range files {
			if len(f.path) <= around || isJunk(f.path) {
				continue
			}
			here++
			if _, _, ok := read(f.path[around:]); ok || f.path[around] == metadataFile {
				fit++
			}
			if f.path[around] == metadataFile {
				return around, read
			}
		}
		if fit > 0 && 2*fit >= here {
			return around, read
		}
	}
	for around = range 3 {
		if read := c.wholeLevel(files, around); read != nil {
			return around, read
		}
	}
	return 0, nil
}

// sort gives the files of an input to the students whose they are.
func (c *collector) sort(input string, files []file) []*handin {
	files = slices.DeleteFunc(files, func(f file) bool { return isJunk(f.path) })
	by := map[string]*handin{}
	var list []*handin
	add := func(o owner, f file, rest []string) {
		key := strings.Join([]string{o.source, string(o.sort), o.key, o.name, o.stamp, strings.Join(o.other, " ")}, "\x00")
		h := by[key]
		if h == nil {
			h = &handin{owner: o, from: input, place: f.path[max(0, len(f.path)-1-len(rest))]}
			by[key], list = h, append(list, h)
		}
		h.late = h.late || o.late
		f.path = rest
		h.files = append(h.files, f)
	}
	around, read := c.convention(files)
	switch {
	case c.Student != "":
		for _, f := range files {
			// A hub gives each student an inbound of the exchange, where any name can be written.
			rest := f.path[min(1, len(f.path)-1):]
			o, own, exchange := ownerOf(rest, c.Assignment, c.Course.Zone())
			switch exchange = exchange && o.source == "exchange"; {
			case exchange && o.key != c.Student:
				c.refuse(input, f, fmt.Sprintf("it says to be of %s, and not of %s", Printable(o.key), Printable(c.Student)))
			case !exchange:
				add(owner{source: "folder", key: c.Student}, f, rest)
			case len(own) > 0:
				add(owner{source: "folder", key: c.Student, when: o.when, stamp: o.stamp}, f, own)
			}
		}
	case read != nil && slices.ContainsFunc(files, func(f file) bool { return len(f.path) > around && f.path[around] == metadataFile }):
		c.gradescope(input, files, around, add)
	case read != nil:
		receipts := c.receipts(files, around)
		numbers := map[string]bool{} // by which Canvas calls somebody here
		for _, f := range files {
			if len(f.path) > around {
				if o, _, _ := read(f.path[around:]); o.sort == CanvasUser {
					numbers[o.key] = true
				}
			}
		}
		source := ""
		var beside []file // whose nothing tells
		for _, f := range files {
			if len(f.path) <= around {
				beside = append(beside, f)
				continue
			}
			o, rest, ok := read(f.path[around:])
			switch {
			case !ok:
				beside = append(beside, f)
			case len(rest) > 0:
				receipts.correct(&o)
				o.other = slices.DeleteFunc(o.other, func(number string) bool {
					return number == o.key || !numbers[number] && !c.knows(owner{sort: o.sort, key: number})
				})
				add(o, f, rest)
			}
			source = cmp.Or(source, o.source)
		}
		for _, f := range beside {
			if !isSystems(source, f.path[len(f.path)-1]) || len(f.path) > around+1 {
				c.refuse(input, f, cmp.Or(f.refused, nobody))
			}
		}
	default:
		c.folders(input, files, add)
	}
	if read != nil {
		// OpenOLAT has no times: a revision comes after what it revises.
		slices.SortStableFunc(list, func(a, b *handin) int {
			if a.source != "openolat" || b.source != "openolat" {
				return 0
			}
			return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.stamp, b.stamp))
		})
	}
	return list
}

const nobody = "nothing tells whose it is: put it into a folder with the student's id for a name, or name the student with --student"

// folders sorts files that lie in a folder for each student, as STUDENT/… or as
// nbgrader's STUDENT/NAME/…, and those that have a student's id for their name.
func (c *collector) folders(input string, files []file, add func(owner, file, []string)) {
	level := c.level(files)
	exact := map[string]bool{} // students with a folder for the assignment: their other ones are of others
	for _, f := range files {
		if len(f.path) > level+2 && f.path[level+1] == c.Assignment {
			exact[f.path[level]] = true
		}
	}
	for _, f := range files {
		last := f.path[len(f.path)-1]
		byName := c.stem(last)
		if len(f.path) > level+2 || len(f.path) == level+2 && c.find(owner{key: f.path[level], name: f.path[level]}) != nil {
			byName = nil
		}
		switch {
		case byName != nil:
			o := owner{source: "folder", key: byName.ID}
			if stem := strings.TrimSuffix(last, filepath.Ext(last)); stem != o.key {
				o.name = stem // another number of the student's
			}
			add(o, f, []string{last})
		case len(f.path) > level+1:
			student, rest := f.path[level], f.path[level+1:]
			if exact[student] {
				if rest[0] != c.Assignment || len(rest) < 2 {
					continue
				}
				rest = rest[1:]
			}
			add(owner{source: "folder", key: student, name: student}, f, rest)
		default:
			c.refuse(input, f, cmp.Or(f.refused, nobody))
		}
	}
}

// stem returns the student whose id a file has for its name.
func (c *collector) stem(name string) *Student {
	return c.find(owner{key: strings.TrimSuffix(name, filepath.Ext(name))})
}

// level returns at which place of the paths the students' folders are: where the
// roster knows most names; else above a folder with the assignment's name; else above
// notebooks, below a single folder that holds several which have some.
func (c *collector) level(files []file) int {
	var known [3]int
	var above [4]map[string]bool // the names at a place that have notebooks below them
	direct := -1                 // the first place whose names have a notebook in them
	for _, f := range files {
		for place := range min(len(f.path)-1, len(known)) {
			if c.find(owner{key: f.path[place], name: f.path[place]}) != nil {
				known[place]++
			}
		}
	}
	if best := slices.Max(known[:]); best > 0 {
		return slices.Index(known[:], best)
	}
	for place := range above {
		above[place] = map[string]bool{}
		for _, f := range files {
			if len(f.path) > place+2 && f.path[place+1] == c.Assignment {
				return place
			}
			if len(f.path) > place+1 && c.meant(f.path[len(f.path)-1]) {
				above[place][f.path[place]] = true
				if len(f.path) == place+2 && direct < 0 {
					direct = place
				}
			}
		}
	}
	for place := range max(direct, 0) + 1 {
		if len(above[place]) > 1 || place == direct && len(above[place+1]) < 2 {
			return place
		}
	}
	return max(direct, 0)
}

// readHead reads at most limit bytes of a file.
func readHead(f file, limit int64) ([]byte, error) {
	r, err := f.open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, limit))
}

// metadataFile is in the zip that Gradescope's Export Submissions makes: beside it
// lies a folder for each submission, and it says whose they are.
const metadataFile = "submission_metadata.yml"

func (c *collector) gradescope(input string, files []file, around int, add func(owner, file, []string)) {
	at := slices.IndexFunc(files, func(f file) bool { return len(f.path) == around+1 && f.path[around] == metadataFile })
	var owners map[string][]owner
	err := errors.New("it is not in its place")
	if at >= 0 && files[at].refused == "" {
		owners, err = readMetadata(files[at], c.Course.Zone())
	}
	if err != nil {
		c.refuse(input, file{path: []string{metadataFile}}, err.Error())
		return
	}
	unknown := map[string]bool{}
	for _, f := range files {
		if len(f.path) < around+2 {
			continue
		}
		folder := f.path[around]
		for _, o := range owners[folder] {
			add(o, f, f.path[around+1:])
		}
		if len(owners[folder]) == 0 {
			unknown[folder] = true
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(unknown)) {
		c.refuse(input, file{path: []string{folder}}, metadataFile+" does not say whose it is")
	}
}
