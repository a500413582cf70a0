package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"marginalia/internal/install/venv"
)

var (
	//go:embed side.py
	sideScript string
	//go:embed scikit.py
	scikitScript string
	//go:embed onedal.py
	oneDALScript string
	//go:embed onedal.txt
	oneDALPins string
	//go:embed libsvm.py
	libsvmScript string
	//go:embed libsvm-build.txt
	libsvmBuild string
	//go:embed libsvm.txt
	libsvmSources string
)

// The families that are compared.
const (
	ours      = "mlkit"
	scikit    = "scikit-learn"
	oneDAL    = "oneDAL"
	libsvm    = "LIBSVM"
	liblinear = "LIBLINEAR"
)

// A side is a program that solves tasks.
type side struct {
	Name    string // of the table: "scikit-learn 1.9.1, arpack"
	Family  string
	Variant string
	command []string
}

// sides are all there are on this machine.
type sides struct {
	mlkit, scikit, oneDAL side
	libraries             []side   // builds of LIBSVM and LIBLINEAR
	missing               []string // what is not installed, and why
}

// findSides finds mlkit, which is this program itself, and installs what it can be
// compared with. What cannot be had is left out, and said.
func findSides(ctx context.Context) (sides, error) {
	self, err := os.Executable()
	if err != nil {
		return sides{}, err
	}
	found := sides{mlkit: side{Name: ours, Family: ours, command: []string{self, childArgument}}}

	python, err := venv.ScikitLearn(ctx)
	if ctx.Err() != nil {
		return found, ctx.Err()
	}
	if err != nil {
		found.missing = append(found.missing, "scikit-learn is not installed: "+err.Error())
	} else {
		found.scikit = side{Name: scikit, Family: scikit, command: []string{python, "-I", "-c", sideScript + scikitScript}}
	}

	// Intel has wheels of it for Linux and Windows on its own processors' architecture alone.
	if runtime.GOARCH == "amd64" && runtime.GOOS != "darwin" {
		python, err = venv.ScikitLearn(ctx, oneDALPins)
		if ctx.Err() != nil {
			return found, ctx.Err()
		}
		if err != nil {
			found.missing = append(found.missing, "oneDAL is not installed: "+err.Error())
		} else {
			found.oneDAL = side{Name: oneDAL, Family: oneDAL, command: []string{python, "-I", "-c", sideScript + oneDALScript + scikitScript}}
		}
	} else {
		found.missing = append(found.missing, "oneDAL is not for "+runtime.GOOS+"/"+runtime.GOARCH)
	}

	python, err = venv.Cached(ctx, "libsvm", libsvmBuild, libsvmSources)
	if ctx.Err() != nil {
		return found, ctx.Err()
	}
	if err != nil {
		found.missing = append(found.missing, "LIBSVM and LIBLINEAR are not installed: "+err.Error())
		return found, nil
	}
	command := []string{python, "-I", "-c", sideScript + libsvmScript}
	out, err := exec.CommandContext(ctx, python, append(command[1:], "builds")...).Output()
	if err != nil {
		if exit := new(exec.ExitError); errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, exit.Stderr)
		}
		return found, fmt.Errorf("bench: which builds of LIBSVM there are: %w", err)
	}
	var builds map[string]map[string]int // 337 is 3.37
	if err := json.Unmarshal(out, &builds); err != nil {
		return found, fmt.Errorf("bench: which builds of LIBSVM there are: %w", err)
	}
	for _, family := range []string{libsvm, liblinear} {
		for _, variant := range []string{"PyPI", "system"} {
			version := builds[strings.ToLower(strings.TrimPrefix(family, "LIB"))][variant]
			if version == 0 {
				found.missing = append(found.missing, fmt.Sprintf("%s (%s) is not installed", family, variant))
				continue
			}
			name := fmt.Sprintf("%s %d.%02d (%s)", family, version/100, version%100, variant)
			found.libraries = append(found.libraries, side{Name: name, Family: family, Variant: variant, command: command})
		}
	}
	return found, nil
}

// of are the sides of a case.
func (s sides) of(c benchCase) []side {
	all := []side{s.mlkit}
	if s.scikit.command != nil {
		solvers := c.Solvers
		if solvers == nil {
			solvers = []string{""}
		}
		for _, solver := range solvers {
			one := s.scikit
			if one.Variant = solver; solver != "" {
				one.Name += " " + solver
			}
			all = append(all, one)
		}
	}
	if s.oneDAL.command != nil && models[c.Model].oneDAL {
		one := s.oneDAL
		if c.Solvers != nil {
			one.Variant = c.Solvers[0] // the only one that oneDAL has
		}
		all = append(all, one)
	}
	for _, library := range s.libraries {
		if library.Family == c.Library {
			all = append(all, library)
		}
	}
	return all
}
