//go:build unix

package peer_test

var featureModels = []model{}
