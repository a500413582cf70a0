package repo

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// Index is the notebook that lists the lectures.
const Index = "00-index.ipynb"

// Lectures returns the notebooks of the repository at root: the index, and the lectures,
// which notebooks/README.md links to. What else lies in their folder, such as a copy that
// a student made, is no lecture.
func Lectures(root string) ([]string, error) {
	dir := filepath.Join(root, "notebooks")
	page, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		return nil, fmt.Errorf("repo: %w", err)
	}
	files := []string{filepath.Join(dir, Index)}
	for _, link := range lecture.FindAllSubmatch(page, -1) {
		files = append(files, filepath.Join(dir, string(link[1])))
	}
	return files, nil
}

var lecture = regexp.MustCompile(`(?m)^- \[[^\]]*\]\(([^()/]+\.ipynb)\)`)
