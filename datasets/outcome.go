package datasets

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Task says whether the samples of a file have classes or regression targets.
type Task int

const (
	// ByValues infers the task from the values beside the samples. Distinct values count
	// as few if there are at most 10, or at most 100 with two samples each on average.
	//
	//   - Few integers are class labels; 1.0 and 1 are the same label.
	//   - Many integers, or numbers such as 0.5 and 17.25, are regression targets.
	//   - Few other texts are class names. Many are an error, since they are probably
	//     times, or names of the samples.
	//   - A mixture of numbers and other texts is an error, since one of them is
	//     probably a mistake, or marks a missing value in a way that [Missing] does not
	//     list.
	ByValues Task = iota

	// Classification takes integers as labels, however many. If any value is not a
	// number, all values are class names. Numbers that are not integers are otherwise
	// an error; [CSV.Classes] can list them.
	Classification

	// Regression takes numbers as targets; any other text is an error.
	Regression
)

// fewValues returns the number of distinct values up to which ByValues infers classes
// from n samples. scikit-learn's type_of_target warns if there are more classes than half
// the samples.
func fewValues(n int) int { return max(10, min(100, n/2)) }

// outcomes collects the classes or targets of the samples in a file.
type outcomes struct {
	name   string         // of the file
	form   string         // of a place in errors
	texts  []string       // the distinct outcomes, as written
	places []place        // first place of each
	number map[string]int // index of each in texts
	of     []int          // of[i] indexes the outcome of sample i in texts
}

// A place is a position in a text, counted from 1, the column in bytes; or an element of
// an array, counted from 0.
type place struct{ line, column int }

// The forms of places in errors.
const (
	inText  = ":%[1]d:%[2]d"
	inTable = "[%[1]d,%[2]d]"
	inList  = "[%[1]d]"
)

func newOutcomes(name, form string) *outcomes {
	return &outcomes{name: name, form: form, number: map[string]int{}}
}

// add appends the outcome of another sample.
func (o *outcomes) add(text string, at place) error {
	k, ok := o.number[text]
	if !ok {
		if fault := nameFault(text); fault != "" {
			return fmt.Errorf("datasets: %s: the class %s", o.at(at), fault)
		}
		k = len(o.texts)
		text = strings.Clone(text) // don't keep the whole line alive
		o.texts, o.places = append(o.texts, text), append(o.places, at)
		o.number[text] = k
	}
	o.of = append(o.of, k)
	return nil
}

// at returns a place with the name of the file.
func (o *outcomes) at(p place) string { return o.name + fmt.Sprintf(o.form, p.line, p.column) }

// bad returns an error about the outcome with index k.
func (o *outcomes) bad(k int, format string, args ...any) error {
	return fmt.Errorf("datasets: %s: %s", o.at(o.places[k]), fmt.Sprintf(format, args...))
}

// setTo sets the labels and classes of d, or its targets, according to task.
func (o *outcomes) setTo(d *Dataset, task Task) error {
	if task < ByValues || task > Regression {
		return fmt.Errorf("datasets: %s: Task = %d, want ByValues, Classification or Regression", o.name, task)
	}
	number, text, fraction := -1, -1, -1 // index of the first of each kind
	labels := make([]int, len(o.texts))
	for k, s := range o.texts {
		var integer bool
		labels[k], integer = label(s)
		if _, ok := finite(s); !ok && text < 0 {
			text = k
		} else if ok && number < 0 {
			number = k
		}
		if !integer && fraction < 0 {
			fraction = k
		}
	}
	few := fewValues(len(o.of))
	switch {
	case task == Regression && text >= 0:
		return o.bad(text, "target %q is not a finite number; correct it, or leave the line out", o.texts[text])
	case task == ByValues && text >= 0 && number >= 0:
		return o.bad(text, "%q is not a finite number, and %q in line %d is one; correct the wrong one, or set Task to Classification if both name classes",
			o.texts[text], o.texts[number], o.places[number].line)
	case task == ByValues && text >= 0 && len(o.texts) > few:
		return o.bad(few, "%q is class number %d of %d samples; set Label if the classes are in another column, or Task to Classification if there are so many",
			o.texts[few], few+1, len(o.of))
	case task == Classification && text < 0 && fraction >= 0:
		return o.bad(fraction, "label %q is not an integer, want integers or names; set Task to Regression if these are targets", o.texts[fraction])
	case text >= 0:
		names := slices.Sorted(slices.Values(o.texts))
		return o.setClasses(d, names, labelsFor(len(names)), "the file")
	case task == Regression || fraction >= 0 || task == ByValues && len(labelsOf(labels)) > few:
		o.setTargets(d)
		return nil
	}
	var names []string
	written := labelsOf(labels)
	for _, y := range written {
		names = append(names, strconv.Itoa(y))
	}
	if len(written) == 2 {
		written = labelsFor(2)
	}
	return o.setClasses(d, names, written, "the file")
}

// setLike sets the labels of d to those of the same classes in train, or sets its targets.
func (o *outcomes) setLike(d, train *Dataset) error {
	if train.Targets != nil {
		return o.setTo(d, Regression)
	}
	return o.setClasses(d, train.Classes, train.Labels, train.Name)
}

// setClasses gives each sample the label labels[k] if its outcome is classes[k]. whose
// names the origin of the classes in errors.
func (o *outcomes) setClasses(d *Dataset, classes []string, labels []int, whose string) error {
	if len(classes) != len(labels) {
		return fmt.Errorf("datasets: %s has %d labels and %d classes, want equal numbers", whose, len(labels), len(classes))
	}
	labelOf := make(map[string]int, len(classes))
	for k, class := range classes {
		if _, twice := labelOf[class]; twice {
			return fmt.Errorf("datasets: %s has the class %q twice", whose, class)
		}
		labelOf[class] = labels[k]
	}
	for k, class := range classes { // 1.0 stands for 1, unless 1 is another class
		same := sameNumber(class)
		if _, taken := labelOf[same]; !taken {
			labelOf[same] = labels[k]
		}
	}
	is := make([]int, len(o.texts))
	for k, s := range o.texts {
		y, ok := labelOf[s]
		if !ok {
			y, ok = labelOf[sameNumber(s)]
		}
		if !ok {
			return o.bad(k, "class %q is none of those of %s: %s", s, whose, listed(classes))
		}
		is[k] = y
	}
	d.Y = make([]int, len(o.of))
	for i, k := range o.of {
		d.Y[i] = is[k]
	}
	d.Labels, d.Classes = slices.Clone(labels), slices.Clone(classes)
	return nil
}

// setTargets sets the targets of d from outcomes that are all numbers.
func (o *outcomes) setTargets(d *Dataset) {
	numbers := make([]float64, len(o.texts))
	for k, s := range o.texts {
		numbers[k], _ = finite(s)
	}
	d.Targets = make([]float64, len(o.of))
	for i, k := range o.of {
		d.Targets[i] = numbers[k]
	}
}

// labelsFor returns the labels for a number of named classes: -1 and +1 for two,
// 0, 1, 2, … otherwise.
func labelsFor(classes int) []int {
	if classes == 2 {
		return []int{-1, +1}
	}
	labels := make([]int, classes)
	for k := range labels {
		labels[k] = k
	}
	return labels
}

// label parses an integer, which may be written as 2, +2, 2.0 or 2e0.
func label(s string) (int, bool) {
	if y, err := strconv.Atoi(s); err == nil {
		return y, true
	}
	v, ok := finite(s)
	if !ok || v != math.Trunc(v) || math.Abs(v) > 1<<53 {
		return 0, false
	}
	y, err := strconv.Atoi(strconv.FormatFloat(v, 'f', 0, 64))
	return y, err == nil
}

// listed quotes the classes, only the first 20 if there are more.
func listed(classes []string) string {
	const most = 20
	if len(classes) <= most {
		return fmt.Sprintf("%q", classes)
	}
	return fmt.Sprintf("%q and %d more", classes[:most], len(classes)-most)
}
