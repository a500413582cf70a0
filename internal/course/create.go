package course

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"marginalia/internal/base/scaffold"
)

//go:embed new
var template embed.FS

// New makes a course folder with the assignment ps0 as an example. The folder must be
// new or empty; it is made whole or not at all.
func New(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("course: %w", err)
	}
	id, err := json.Marshal(filepath.Base(dir)) // what JSON escapes, TOML and Python read alike
	if err != nil {
		return fmt.Errorf("course: %w", err)
	}
	files, err := fs.Sub(template, "new")
	if err != nil {
		return fmt.Errorf("course: %w", err)
	}
	fill := strings.NewReplacer(`"COURSE"`, string(id), `"ZONE"`, strconv.Quote(machineZone("/etc")))
	err = scaffold.Make(dir, files, fill.Replace,
		[]string{string(Release), string(Submitted), string(Autograded), string(Feedback)})
	if err != nil {
		return fmt.Errorf("course: %w", err)
	}
	return nil
}
