package grade_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func BenchmarkZZMake(b *testing.B) {
	for _, name := range strings.Fields(os.Getenv("ZZ_NAMES")) {
		for _, kind := range []string{"right", "wrong", "not compiling"} {
			by := map[string][]int{}
			for i := range 40 {
				by[kind] = append(by[kind], i)
			}
			s := newStudents(b, name, by)
			dir := s.course(b, by)
			to := filepath.Join(os.Getenv("ZZ_DIR"), name+"-"+strings.ReplaceAll(kind, " ", "-"))
			os.RemoveAll(to)
			if err := os.Rename(dir, to); err != nil {
				b.Fatal(err)
			}
		}
	}
}
