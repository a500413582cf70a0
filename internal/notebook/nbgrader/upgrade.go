package nbgrader

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"marginalia/internal/notebook/nbformat"
)

// Upgrade brings the metadata of all cells to version 3, as `nbgrader update` does.
// The error names the first cell at fault; it and those after it stay as they are.
func Upgrade(nb *nbformat.Notebook) error {
	for i, c := range nb.Cells {
		if err := UpgradeCell(c); err != nil {
			return faultOf(i, c, err)
		}
	}
	return nil
}

// UpgradeCell brings the metadata of one cell to version 3. Where nbgrader drops a
// key that it does not know, that key stays. A cell of version 0 that is neither
// graded nor a solution nor locked loses what nbgrader kept of it.
func UpgradeCell(c *nbformat.Cell) error {
	v, there := c.Metadata["nbgrader"]
	if !there {
		return nil
	}
	keys, ok := v.(map[string]any)
	if !ok {
		return errors.New("nbgrader: metadata.nbgrader: want an object")
	}
	n, err := versionOf(keys)
	switch {
	case err != nil:
		return err
	case n < 0 || n > Version:
		return fmt.Errorf("nbgrader: schema_version %d, want 0 to %d", n, Version)
	case n == Version:
		return nil
	}
	if n == 0 {
		if stays, err := from0(keys); err != nil {
			return err
		} else if !stays {
			for _, key := range known {
				delete(keys, key)
			}
			if len(keys) == 0 {
				delete(c.Metadata, "nbgrader")
			}
			return nil
		}
	}
	if _, released := keys["checksum"]; n < 2 && released {
		if _, there := keys["cell_type"]; !there {
			keys["cell_type"] = c.Type
		}
	}
	keys["schema_version"] = json.Number(strconv.Itoa(Version))
	return nil
}

// from0 makes version 1 of version 0, and reports whether anything is left to keep.
func from0(keys map[string]any) (bool, error) {
	is := map[string]bool{}
	for _, key := range []string{"grade", "solution", "locked"} {
		v, there := keys[key]
		b, ok := v.(bool)
		if there && !ok {
			return false, fmt.Errorf("nbgrader: %s: %v, want true or false", key, v)
		}
		is[key] = b
	}
	if !is["grade"] && !is["solution"] && !is["locked"] {
		return false, nil
	}
	points := 0.0
	if v, there := keys["points"]; there && is["grade"] {
		f, ok := number(v)
		if s, text := v.(string); text && s == "" {
			f, ok = 0, true
		} else if text {
			f, ok = number(json.Number(strings.TrimSpace(s)))
		}
		if !ok {
			return false, fmt.Errorf("nbgrader: points: %v, want a number", v)
		}
		points = max(f, 0)
	}
	for key, b := range is {
		keys[key] = b
	}
	delete(keys, "points")
	if is["grade"] {
		keys["points"] = json.Number(pythonFloat(points))
	}
	return true, nil
}
