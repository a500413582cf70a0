// Package cluster divides samples into groups without labels. It has k-means and spectral
// clustering, which runs k-means on the eigenvectors of a graph that links similar
// samples. ARI and Purity compare a clustering with known classes or with another
// clustering.
//
//	m, err := cluster.KMeans{K: 3}.Fit(X) // X is n×d, one sample per row
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(m.Labels, m.Inertia, m.Predict(x))
//
// Clusters are numbered from 0. Spectral clustering separates two concentric rings, which
// k-means cannot (Cornell, section 4.1):
//
//	s, err := cluster.Spectral{K: 2, Gamma: 50}.Fit(X)
//
// In scikit-learn, Spectral is SpectralClustering, and ARI is adjusted_rand_score. KMeans
// has the same name.
//
// # The files
//
//   - kmeans.go: KMeans and its model; kmeans_run.go: Lloyd's algorithm; kmeans_seed.go: the
//     starting centres
//   - bounds.go, panels.go, kmeans_scaled.go: fewer distances, many at a time, tiny ones
//   - spectral.go: Spectral and its model
//   - graph.go, full.go: sparse and dense affinities; laplacian.go: the operator whose
//     eigenvectors are found
//   - agreement.go: ARI and Purity
//   - decode.go: the decoding of the models
//
// # References
//
//   - Cornell: "CS5785 Applied Machine Learning, lecture 15: support vector
//     machines and kernels", Cornell Tech, 2015, section 4.1
//   - Stuart Lloyd, "Least squares quantization in PCM", IEEE Transactions on
//     Information Theory 28(2), 1982
//   - David Arthur and Sergei Vassilvitskii, "k-means++: the advantages of careful
//     seeding", SODA 2007
//   - Jianbo Shi and Jitendra Malik, "Normalized cuts and image segmentation", IEEE
//     PAMI 22(8), 2000
//   - Andrew Ng, Michael Jordan and Yair Weiss, "On spectral clustering: analysis
//     and an algorithm", NIPS 2001
//   - Ulrike von Luxburg, "A tutorial on spectral clustering", Statistics and
//     Computing 17(4), 2007
//   - Lawrence Hubert and Phipps Arabie, "Comparing partitions", Journal of
//     Classification 2, 1985
package cluster
