// Package neighbors classifies a sample by the training samples nearest to it. There is no
// hyperplane, and nothing is learnt but the samples themselves.
//
//	m, err := neighbors.KNN{K: 11}.Fit(X, y) // X is n×d, one sample a row; y[i] is any int
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(m.Predict(x), m.Votes(nil, x), m.Neighbors(x))
//
// Distances depend on the units of the columns of X: standardise the samples first
// (feature.Standardize).
//
// In scikit-learn, KNN is KNeighborsClassifier.
//
// # The files
//
//   - knn.go: KNN and its model
//   - decode.go: the decoding of the model
//
// Package mlkit documents what all algorithms have in common and lists the lectures that the
// comments cite. The algorithm is that of Thomas Cover and Peter Hart, "Nearest neighbor
// pattern classification", IEEE Transactions on Information Theory 13(1), 1967.
package neighbors
