package outputs

import (
	"encoding/json"
	"fmt"
	"regexp"

	"marginalia/internal/notebook/nbformat"
)

// Options say how the outputs of one cell are compared.
type Options struct {
	Tolerance float64 // relative, for numbers within text; 0 compares text exactly
	Timings   bool    // a %test cell: durations and benchmark figures differ from run to run
	Ignore    bool    // the outputs are not compared at all
}

// OptionsOf reads a cell's metadata: metadata.marginalia.tolerance and nbval's
// tag nbval-ignore-output.
func OptionsOf(c *nbformat.Cell) (Options, error) {
	o := Options{Ignore: c.HasTag("nbval-ignore-output"), Timings: IsTest(c.Source)}
	if v, ok := c.Setting("tolerance"); ok {
		if text, ok := v.(string); ok {
			return o, fmt.Errorf("cell %s: metadata.marginalia.tolerance is the text %q, want a number: leave the quotes out", c.ID, text)
		}
		n, isNumber := v.(json.Number)
		t, err := n.Float64()
		if !isNumber || err != nil || !(t > 0 && t < 1) {
			return o, fmt.Errorf("cell %s: metadata.marginalia.tolerance is %v, want a number between 0 and 1 (relative)", c.ID, v)
		}
		o.Tolerance = t
	}
	return o, nil
}

// IsTest reports whether GoNB runs the tests of a cell.
func IsTest(source string) bool { return testCell.MatchString(source) }

var testCell = regexp.MustCompile(`(?m)^(//gonb:)?%\s*test\b`)

// Raises reports whether a cell is tagged as one that fails, and has to.
func Raises(c *nbformat.Cell) bool {
	return c.HasTag("raises-exception") || c.HasTag("nbval-raises-exception")
}

// MayPass reports whether cells of a notebook may be tagged as failing and not fail: in a reader's copy of
// exercises, answers make the checks pass. Package update writes the metadata.
func MayPass(nb *nbformat.Notebook) bool {
	ours, _ := nb.Metadata["marginalia"].(map[string]any)
	return ours["copy"] != nil
}

// DidNotRaise is what is wrong with a cell that Raises and has not failed.
const DidNotRaise = "it is tagged raises-exception and did not fail"

// Stored reports whether the notebook holds what came of a cell, nothing
// included. A cell that was never executed has nothing to compare with.
func Stored(c *nbformat.Cell) bool { return c.ExecutionCount != nil || len(c.Outputs) > 0 }
