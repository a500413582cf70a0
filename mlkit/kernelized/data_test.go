package kernelized

import (
	"marginalia/mlkit/kernel"
)

// kernels returns a kernel of each type with non-default parameters.
func kernels() []kernel.Kernel {
	return []kernel.Kernel{
		kernel.Linear{}, kernel.Polynomial{Degree: 3, Gamma: 0.3, Coef0: 0.7}, kernel.Sigmoid{Gamma: 0.1, Coef0: -0.3},
		kernel.RBF{Gamma: 0.3}, kernel.Laplace{Gamma: 0.7}, kernel.Laplace{Gamma: 0.7, Taxicab: true}, kernel.Chi2{Gamma: 0.9},
		kernel.Sum{kernel.Linear{}, kernel.Scaled{Factor: 0.1, Kernel: kernel.RBF{Gamma: 3}}},
		kernel.Product{kernel.Sum{kernel.RBF{}, kernel.Chi2{}}, kernel.Polynomial{}, kernel.Any{Kernel: kernel.Laplace{}}}, kernel.Scaled{Factor: 1.0 / 3},
	}
}

// shifted is a kernel of somebody's own: (x₀ + 1)(z₀ + 1).
type shifted struct{}

func init() { kernel.Register("test.shifted", shifted{}) }

func (shifted) Eval(x, z []float64) float64 { return (x[0] + 1) * (z[0] + 1) }

func second[T any](_ T, err error) error { return err }
