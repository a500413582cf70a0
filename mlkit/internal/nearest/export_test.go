package nearest

// ManyNumbers is how many elements of points FindMany has in its cache.
var ManyNumbers = &manyNumbers
