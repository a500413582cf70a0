package derive

// Lectures returns the derivations of the lectures, in their order.
func Lectures() []Checker {
	return []Checker{
		LDAToLogistic(), UnequalCovariances(), EqualMeans(),
		NormalEquations(),
		PrimalToDual(), HingeFromSlacks(),
		PerceptronAsGradient(), NovikoffOnARun(),
		PosteriorToLogisticLoss(),
	}
}
