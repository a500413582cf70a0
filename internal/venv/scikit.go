package venv

import (
	"context"
	_ "embed"
)

//go:embed scikit-learn.txt
var scikitLearn string

// ScikitLearn is [Cached] with scikit-learn, NumPy and SciPy: one environment for
// the comparison of results and that of speed.
func ScikitLearn(ctx context.Context) (python string, err error) {
	return Cached(ctx, "scikit-learn", scikitLearn)
}
