package benchmarks

import "math"

// A Separation says how well scores tell queries that something answers from
// those that nothing does.
type Separation struct {
	Negatives int `json:"negatives"`
	// AUC is the chance that the best score of a query that something answers is
	// above that of one that nothing does, equal scores counting half: the area
	// under the ROC curve, as the Mann-Whitney statistic gives it. 0.5 is chance.
	AUC float64 `json:"auc"`
	// RejectedFirst is how many negatives put a document first that they must
	// not find, as the should_trigger false of an eval_queries.json says.
	RejectedFirst int `json:"rejected_first"`
}

// separate compares the best scores of the judged queries with those of the
// negatives. It is nil where there is either kind alone.
func separate(c *Collection, run Run) *Separation {
	if len(c.Negatives) == 0 {
		return nil
	}
	s := &Separation{Negatives: len(c.Negatives)}
	wins := 0.0
	for _, n := range c.Negatives {
		answer := run.Answers[n.ID]
		if len(answer) > 0 {
			if _, rejected := c.Rejected[n.ID][answer[0].Document]; rejected {
				s.RejectedFirst++
			}
		}
		for _, q := range c.Queries {
			wins += beats(best(run.Answers[q.ID]), best(answer))
		}
	}
	if pairs := len(c.Negatives) * len(c.Queries); pairs > 0 {
		s.AUC = round6(wins / float64(pairs))
	}
	return s
}

// best is the score of the first document; an empty answer is below any.
func best(answer []Scored) float64 {
	if len(answer) == 0 {
		return math.Inf(-1)
	}
	return answer[0].Score
}

func beats(a, b float64) float64 {
	switch {
	case a > b:
		return 1
	case a == b:
		return 0.5
	}
	return 0
}
