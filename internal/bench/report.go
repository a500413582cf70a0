package main

import (
	"fmt"
	"maps"
	"math"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// A report is all that was measured.
type report struct {
	results   []result
	missing   []string           // what is not installed or was not measured
	exponents map[string]float64 // of a side: time ~ n^exponent
}

// markdown is the report for the README.
func (r report) markdown() string {
	var b strings.Builder
	b.WriteString(markdown(r.results))
	b.WriteString("\nMachine: " + machineName() + ".")
	for _, version := range r.versions() {
		b.WriteString(" " + version + ".")
	}
	b.WriteString("\n")
	for _, m := range r.missing {
		b.WriteString("\n" + m + "\n")
	}
	if len(r.exponents) > 0 {
		b.WriteString("\nTime grows as n to the power of:")
		for _, side := range slices.Sorted(maps.Keys(r.exponents)) {
			fmt.Fprintf(&b, " %s %.2f;", side, r.exponents[side])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// versions are those that took part.
func (r report) versions() []string {
	seen := map[string]bool{}
	for _, result := range r.results {
		for _, s := range result.Sides {
			switch {
			case s.Version == "":
			case s.Family == libsvm || s.Family == liblinear:
				seen[s.Side] = true // the name has the version
			default:
				seen[s.Family+": "+s.Version] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// growthCases are case a with more and more samples.
func growthCases() []benchCase {
	var all []benchCase
	for _, n := range growthSizes {
		c := cases[0]
		c.Name, c.Train = fmt.Sprintf("a-%d", n), twoGaussians(fmt.Sprintf("gaussians-%dx20", n), 1, n, 20)
		all = append(all, c)
	}
	return all
}

// exponents fits log t = exponent·log n + const to the median times of each side, by
// least squares.
func exponents(results []result) map[string]float64 {
	n, t := map[string][]float64{}, map[string][]float64{}
	for _, r := range results {
		for _, s := range r.Sides {
			if s.Refused == "" && len(s.Times) > 0 {
				n[s.Side] = append(n[s.Side], math.Log(float64(r.N)))
				t[s.Side] = append(t[s.Side], math.Log(median(s.Times)))
			}
		}
	}
	slopes := map[string]float64{}
	for side, x := range n {
		if len(x) < 2 {
			continue
		}
		_, slopes[side] = stat.LinearRegression(x, t[side], nil, false)
	}
	return slopes
}

var modelName = regexp.MustCompile(`(?m)^model name\s*:\s*(.+)$`)

// machineName is the processor, if the system says which it is.
func machineName() string {
	name := runtime.GOOS + "/" + runtime.GOARCH
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if m := modelName.FindSubmatch(info); m != nil {
			name = strings.TrimSpace(string(m[1])) + ", " + name
		}
	}
	return fmt.Sprintf("%s, %d cores", name, runtime.NumCPU())
}
