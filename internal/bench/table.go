package main

import (
	"fmt"
	"slices"
	"strings"
)

// ratio is how many times as long another side takes as mlkit: that of the medians,
// and the smallest and the largest of a round.
func ratio(ours, theirs []float64) string {
	rounds := min(len(ours), len(theirs))
	each := make([]float64, rounds)
	for i := range each {
		each[i] = theirs[i] / ours[i]
	}
	return fmt.Sprintf("%.2g (%.2g-%.2g)", median(theirs)/median(ours), slices.Min(each), slices.Max(each))
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// markdown is the table of the results, and below it what has to be said about it.
func markdown(results []result) string {
	var b strings.Builder
	b.WriteString("| case | n × d | mlkit | scikit-learn | ratio | oneDAL | ratio | LIBSVM, LIBLINEAR | ratio | peak memory, MB |\n")
	b.WriteString("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	var notes []string
	for _, r := range results {
		fit := func(s record) []float64 { return s.Times }
		b.WriteString(r.row(r.Title, fit))
		if r.PerPass {
			b.WriteString(r.row(r.Title+": a pass", perPass))
		}
		if slices.ContainsFunc(r.Sides, func(s record) bool { return len(s.PredictTimes) > 0 }) {
			b.WriteString(r.row(r.Title+": predictions", func(s record) []float64 { return s.PredictTimes }))
		}
		for _, s := range r.Sides {
			if s.Refused != "" {
				notes = append(notes, fmt.Sprintf("%s, %s: not counted, %s", r.Case, s.Side, s.Refused))
			}
			if s.Errors > 0 {
				notes = append(notes, fmt.Sprintf("%s, %s: %.2f %% of the test samples wrong", r.Case, s.Side, 100*s.Errors))
			}
		}
	}
	if len(notes) > 0 {
		b.WriteString("\n")
	}
	for _, n := range notes {
		b.WriteString("- " + n + "\n")
	}
	return b.String()
}

// perPass are the times of a pass through the samples. One with shrinking, as of
// LIBLINEAR, leaves samples out.
func perPass(s record) []float64 {
	times := make([]float64, len(s.Times))
	for i, t := range s.Times {
		times[i] = t / float64(max(1, s.Passes))
	}
	return times
}

// row is a line of the table, of the times that what picks.
func (r result) row(title string, what func(record) []float64) string {
	mine, _ := r.fastest(what, ours)
	cells := []string{title, fmt.Sprintf("%d × %d", r.N, r.D), seconds(what(mine))}
	if r.Cores > 1 {
		cells[0] += fmt.Sprintf(", %d cores", r.Cores)
	}
	memory := []string{megabytes(mine)}
	for _, family := range [][]string{{scikit}, {oneDAL}, {libsvm, liblinear}} {
		theirs, present := r.fastest(what, family...)
		comparison := ""
		if len(what(mine)) > 0 && len(what(theirs)) > 0 {
			comparison = ratio(what(mine), what(theirs))
		}
		cells = append(cells, seconds(what(theirs)), comparison)
		if present {
			memory = append(memory, megabytes(theirs))
		}
	}
	return "| " + strings.Join(append(cells, strings.Join(memory, " / ")), " | ") + " |\n"
}

// fastest is the record of the families whose median time is smallest, of those that
// count, and whether the families have any, counted or not.
func (r result) fastest(what func(record) []float64, families ...string) (best record, present bool) {
	for _, s := range r.Sides {
		if !slices.Contains(families, s.Family) {
			continue
		}
		present = true
		if s.Refused == "" && len(what(s)) > 0 && (len(what(best)) == 0 || median(what(s)) < median(what(best))) {
			best = s
		}
	}
	return best, present
}

// seconds is a median with a unit that suits it, or a dash.
func seconds(times []float64) string {
	if len(times) == 0 {
		return "-"
	}
	if t := median(times); t < 1 {
		return fmt.Sprintf("%.3g ms", 1000*t)
	}
	return fmt.Sprintf("%.3g s", median(times))
}

func megabytes(s record) string {
	if s.Peak == 0 {
		return "-"
	}
	return fmt.Sprint(s.Peak >> 20)
}
