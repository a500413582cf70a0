package derive

// Lectures returns the derivations of the lectures.
func Lectures() []Checker {
	return []Checker{
		LDAToLogistic(), UnequalCovariances(), EqualMeans(),
		NormalEquations(),
		PrimalToDual(), HingeFromSlacks(),
		PerceptronAsGradient(), NovikoffOnARun(),
		PosteriorToLogisticLoss(),
	}
}
