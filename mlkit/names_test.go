package mlkit_test

import (
	"go/types"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// One word has one meaning in all packages of mlkit. Fields, methods and functions avoid the
// synonyms of a word that is in use, the fields of one name have one type, a slice or a count is
// plural, and nothing else is.
func TestNames(t *testing.T) {
	skipShort(t)
	l := listPackages()
	if l.err != nil {
		t.Fatalf("go list: %v", l.err)
	}
	typesOf := map[string]map[string]string{} // of the fields of a name, with a place of each
	for _, p := range l.packages {
		pkg := p.inside.pkg
		for _, name := range pkg.Scope().Names() {
			if _, ok := pkg.Scope().Lookup(name).(*types.Func); ok {
				avoidSynonyms(t, pkg.Name(), name)
			}
		}
		for _, named := range p.inside.exported() {
			of := pkg.Name() + "." + named.Obj().Name()
			for m := range named.Methods() {
				avoidSynonyms(t, of, m.Name())
			}
			s, ok := named.Underlying().(*types.Struct)
			for i := 0; ok && i < s.NumFields(); i++ {
				f := s.Field(i)
				if !f.Exported() || f.Embedded() {
					continue
				}
				avoidSynonyms(t, of, f.Name())
				checkNumber(t, of, f)
				if typesOf[f.Name()] == nil {
					typesOf[f.Name()] = map[string]string{}
				}
				typesOf[f.Name()][types.TypeString(f.Type(), (*types.Package).Name)] = of
			}
		}
	}
	if len(typesOf) < 200 { // there were 290 when this test was written
		t.Errorf("%d names of fields found", len(typesOf))
	}
	for name, different := range typesOf {
		if len(different) > 1 != slices.Contains(varying, name) {
			t.Errorf("fields named %s have the types %v: want one type, or the name in varying if it depends on the algorithm, and not there otherwise", name, different)
		}
	}
}

func avoidSynonyms(t *testing.T, of, name string) {
	t.Helper()
	for _, s := range synonyms {
		if regexp.MustCompile(s.pattern).MatchString(name) {
			t.Errorf("%s.%s: the word for that is %s", of, name, s.word)
		}
	}
}

// checkNumber wants a plural for a slice or a count, and for nothing else.
func checkNumber(t *testing.T, of string, f *types.Var) {
	t.Helper()
	name := f.Name()
	plural := strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "ss") && name != "Bias"
	typ := f.Type().String()
	slice := strings.HasPrefix(typ, "[]") || strings.HasPrefix(typ, "[2][]")
	if slice && !plural && !letters.MatchString(name) && singular[name] == "" {
		t.Errorf("%s.%s is a %s: a slice is plural", of, name, typ)
	}
	if plural && (typ == "float64" || typ == "bool") {
		t.Errorf("%s.%s is a %s: only slices and counts are plural", of, name, typ)
	}
}

// varying are the names of fields whose type depends on the algorithm or the package.
var varying = strings.Fields(`
	A After Algorithm Alpha B Before Bias Directions Dual Eigenvalues Folds Gaussians Kernel Landmarks M Machines MSE Mean
	Means Mistakes Model Notes Points Precision Recall Rows S Solver Start Steps Support Test
	Total Trace Train Value Variances W X Y`)

// synonyms are words that fields, methods and functions don't have, since another has their
// meaning.
var synonyms = []struct{ pattern, word string }{
	{`^Max(Iterations?|Epochs?|Passes|Steps)$`, "MaxIter"},
	{`^(Tolerance|Eps|Epsilon)$`, "Tol"},
	{`^(LearningRate|Eta|StepSize)$`, "Rate"},
	{`^Batch$`, "BatchSize"},
	{`^(RandomState|Random|Rng)$`, "Seed"},
	{`^(Ridge|Penalty|Regulari[sz]ation|Reg)$`, "Lambda, or L1 and L2 beside a likelihood"},
	{`^Method$`, "Solver"},
	{`^(Intercept|FitIntercept|NoIntercept)$`, "Bias or B"},
	{`^(Warm|WarmStart|Init|Initial)$`, "Start"},
	{`^(Callback|Observer|OnStep)$`, "Trace"},
	{`^(NumClusters|NClusters|Clusters)$`, "K"},
	{`^(Features|NumFeatures)$`, "Inputs, or D for a field"},
	{`^(Threshold|Slack|Component)$`, "a plural, if it is a slice"},
	{`^(Proba|PredictProba|Probability)$`, "Prob or Posterior"},
	{`^(DecisionFunction|Decision)$`, "Score"},
	{`^(Centroids?|Prototypes?)$`, "Centers"},
	{`Weighting`, "Weights"},
	{`OneVsAll|OneAgainst`, "OneVsRest or OneVsOne"},
	{`WithContext$|Ctx$`, "the suffix Context"},
	{`Neighbour|Centr(e|ing)|(Normal|Standard|Penal|Optim)is|Colour|Labelled|Behaviour`, "spelt as gonum spells it, in American English"},
}

// letters are the quantities that the lectures name by a letter: a slice of them keeps it.
var letters = regexp.MustCompile(`^([A-Z][0-9]?|Alpha|Tau|Coef)(Hat)?$`)

// singular are the slices whose word is no plural, with what they are.
var singular = map[string]string{
	"After": "a vector", "Before": "a vector", "Direction": "a vector", "Eigenvector": "a vector",
	"Mean": "a vector", "Shift": "a vector", "Value": "a vector",
	"Covariance": "a matrix", "Embedding": "a matrix", "Data": "a matrix", "Stack": "a text",
	"Dual": "a point", "Start": "a point",
	"AtBound": "samples, by an adjective", "Free": "samples, by an adjective",
	"Refilled": "clusters, by an adjective", "Unfinished": "fits, by an adjective",
	"Wrong": "samples, by an adjective", "Explained": "variances, by an adjective",
	"Functional": "margins, by an adjective", "Geometric": "margins, by an adjective",
	"Support": "samples, by the field's term", "Test": "samples, by the field's term", "Train": "samples, by the field's term",
	"FPR": "a rate at each threshold", "TPR": "a rate at each threshold",
	"Precision": "a rate at each threshold", "Recall": "a rate at each threshold",
	"MSE":              "an error of each target",
	"MistakesPerEpoch": "a plural, further left",
}
