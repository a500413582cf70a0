package libsvm

import (
	"cmp"
	"fmt"
	"strconv"

	"marginalia/mlkit/kernel"
)

// readKernel returns the kernel that a file of LIBSVM names:
//
//	linear x·z, polynomial (γ x·z + c)ᵈ, rbf exp(-γ‖x-z‖²), sigmoid tanh(γ x·z + c)
func readKernel(h *header) (kernel.Kernel, error) {
	names, err := h.values("kernel_type", 1)
	if err != nil {
		return nil, err
	}
	var number = map[string]float64{}
	parameters, known := map[string][]string{"linear": nil, "polynomial": {"degree", "gamma", "coef0"}, "rbf": {"gamma"}, "sigmoid": {"gamma", "coef0"}}[names[0]]
	if !known {
		return nil, h.bad("kernel_type", "kernel_type %s, want linear, polynomial, rbf or sigmoid; mlkit has no precomputed kernels", short(names[0]))
	}
	for _, word := range parameters {
		if number[word], err = h.number(word); err != nil {
			return nil, err
		}
		// mlkit's kernels take 0 for a default, which is another number.
		if v := number[word]; word != "coef0" && v <= 0 || word == "degree" && v != float64(int(v)) {
			return nil, h.bad(word, "%s %v, want one above 0, since the kernel is constant otherwise or has no Mercer form", word, v)
		}
	}
	switch names[0] {
	case "polynomial":
		return kernel.Polynomial{Degree: int(number["degree"]), Gamma: number["gamma"], Coef0: number["coef0"]}, nil
	case "rbf":
		return kernel.RBF{Gamma: number["gamma"]}, nil
	case "sigmoid":
		return kernel.Sigmoid{Gamma: number["gamma"], Coef0: number["coef0"]}, nil
	}
	return kernel.Linear{}, nil
}

// kernelLines returns what a file says of k. Parameters of 0 are mlkit's defaults.
func kernelLines(k kernel.Kernel) ([][2]string, error) {
	switch k := k.(type) {
	case kernel.Any:
		return kernelLines(k.Kernel)
	case kernel.Linear:
		return [][2]string{{"kernel_type", "linear"}}, nil
	case kernel.Polynomial:
		return [][2]string{{"kernel_type", "polynomial"}, {"degree", strconv.Itoa(cmp.Or(k.Degree, 2))}, {"gamma", number(cmp.Or(k.Gamma, 1))}, {"coef0", number(k.Coef0)}}, nil
	case kernel.RBF:
		return [][2]string{{"kernel_type", "rbf"}, {"gamma", number(cmp.Or(k.Gamma, 0.5))}}, nil
	case kernel.Sigmoid:
		return [][2]string{{"kernel_type", "sigmoid"}, {"gamma", number(cmp.Or(k.Gamma, 1))}, {"coef0", number(k.Coef0)}}, nil
	case nil:
		return nil, fmt.Errorf("libsvm: a machine has no kernel, want one that Fit has returned")
	}
	return nil, fmt.Errorf("libsvm: LIBSVM has no kernel %T, only Linear, Polynomial, RBF and Sigmoid", k)
}
