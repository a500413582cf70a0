package linear

import "marginalia/mlkit"

type Hyperplane = mlkit.Hyperplane

type Margins = mlkit.Margins
