package svm

import (
	"runtime"
	"slices"
)

// own replaces the models' views of X by copies, one for each distinct row, which the
// models share. Before large copies it runs a garbage collection, so that they can reuse
// the memory of the fits.
func own(models []*Model) {
	models = slices.DeleteFunc(slices.Clone(models), func(m *Model) bool { return m == nil })
	copies, numbers := map[*float64][]float64{}, 0
	for _, m := range models {
		for _, v := range m.Vectors {
			if _, ok := copies[&v[0]]; !ok {
				copies[&v[0]] = nil
				numbers += len(v)
			}
		}
	}
	if numbers > 1<<21 {
		runtime.GC()
	}
	for _, m := range models {
		for i, v := range m.Vectors {
			at := &v[0]
			if copies[at] == nil {
				copies[at] = slices.Clone(v)
			}
			m.Vectors[i] = copies[at]
		}
	}
}
