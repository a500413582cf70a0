package mistake

import (
	"cmp"
	"strings"
)

// others are names of Python and of JavaScript, by the package or the type that they are looked
// for in, in small letters without underscores; and what to write here. Those of its libraries
// are in Peers.
var others = map[string]string{
	// Words for what Peers has under its full name.
	"svm.svm": "svm.Classifier", "eval.crossvalscore": "eval.CrossValidate", "eval.stratifiedkfold": "eval.KFold", "eval.groupkfold": "eval.KFold",

	"mat.dense.shape": "r, c := X.Dims()", "mat.dense.size": "r, c := X.Dims()", "mat.dense.len": "r, c := X.Dims()",
	"mat.dense.dot": "C.Mul(A, B) makes C the product of A and B", "mat.dense.transpose": "X.T()",
	"mat.dense.sum": "mat.Sum(X)", "mat.dense.inv": "C.Inverse(A) makes C the inverse of A",
	"mat.vecdense.shape": "v.Len()", "mat.vecdense.size": "v.Len()", "mat.vecdense.dot": "mat.Dot(v, w)", "mat.vecdense.sum": "mat.Sum(v)",

	"string.upper": "strings.ToUpper(s)", "string.touppercase": "strings.ToUpper(s)", "string.lower": "strings.ToLower(s)", "string.tolowercase": "strings.ToLower(s)",
	"string.split": `strings.Split(s, ",")`, "string.strip": "strings.TrimSpace(s)", "string.trim": "strings.TrimSpace(s)",
	"string.replace": `strings.ReplaceAll(s, "a", "b")`, "string.startswith": `strings.HasPrefix(s, "a")`, "string.endswith": `strings.HasSuffix(s, "a")`,
	"string.contains": `strings.Contains(s, "a")`, "string.find": `strings.Index(s, "a")`, "string.indexof": `strings.Index(s, "a")`,
	"string.format": `fmt.Sprintf("%v", x)`, "string.join": `strings.Join(v, ", ")`,

	"slice.append": "v = append(v, x)", "slice.push": "v = append(v, x)", "slice.add": "v = append(v, x)", "slice.extend": "v = append(v, w...)",
	"slice.pop": "v = v[:len(v)-1] leaves the last element out", "slice.sort": "slices.Sort(v)", "slice.reverse": "slices.Reverse(v)",
	"slice.index": "slices.Index(v, x)", "slice.indexof": "slices.Index(v, x)", "slice.contains": "slices.Contains(v, x)", "slice.includes": "slices.Contains(v, x)",
	"slice.sum": "of a []float64: floats.Sum(v)", "slice.max": "slices.Max(v)", "slice.min": "slices.Min(v)", "slice.join": `strings.Join(v, ", ")`,
	"slice.foreach": "for i, x := range v { … }", "slice.map": "for i, x := range v { … }", "slice.shape": "len(v)",

	"map.keys": "for k := range m { … }", "map.values": "for _, v := range m { … }", "map.items": "for k, v := range m { … }",
	"map.get": "v, ok := m[k]", "map.has": "_, ok := m[k]", "map.containskey": "_, ok := m[k]", "map.put": "m[k] = v", "map.remove": "delete(m, k)",
}

// other returns what to write instead of a member that a package or a type of it has in
// another language, "" if that is unknown.
func other(of, name string) string {
	switch {
	case strings.HasPrefix(of, "[]"):
		of = "slice"
	case strings.HasPrefix(of, "map["):
		of = "map"
	}
	key := strings.ToLower(of + "." + strings.ReplaceAll(name, "_", ""))
	return cmp.Or(others[key], inPeers[key])
}
