package linear

import "marginalia/mlkit"

type LinearMachine = mlkit.LinearMachine
