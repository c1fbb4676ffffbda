package benchmarks

import (
	"maps"
	"slices"
)

// leastQueries is how many queries the types of a collection must have on
// average to be worth a row each: IDs that are random make types too.
const leastQueries = 3

// byType breaks scores down by the types of the queries, in order of type. There
// is none where all queries have one type or types are nearly as many as
// queries.
func byType(queries []Query, scores Scores, s Sampling) []TypeMeans {
	kind := make(map[string]string, len(queries))
	for _, q := range queries {
		kind[q.ID] = q.Type
	}
	rows := make(map[string][][]float64)
	for i, id := range scores.Queries {
		rows[kind[id]] = append(rows[kind[id]], scores.Rows[i])
	}
	types := []TypeMeans{}
	if len(rows) < 2 || len(queries) < leastQueries*len(rows) {
		return types
	}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		types = append(types, TypeMeans{Type: name, Queries: len(rows[name]), Means: estimates(scores.Measures, rows[name], s)})
	}
	return types
}
