package benchmarks

import (
	"strconv"
	"strings"
)

// A judgement is one line of qrels.
type judgement struct {
	line
	query, document string
	grade           int
}

// ReadQrels reads judgements in TREC form, "query 0 document grade" in columns
// separated by tabs or blanks, or in that of BEIR, "query document grade" in
// columns separated by tabs below a line with their names. The error names file
// and line: wrong columns, a grade that is no whole number, a document that is
// judged twice for a query, an empty file.
func ReadQrels(path string) (Qrels, error) {
	list, err := readJudgements(path)
	if err != nil {
		return nil, err
	}
	return collect(list)
}

// collect makes qrels of judgements; two for one document are an error.
func collect(list []judgement) (Qrels, error) {
	qrels := make(Qrels)
	at := make(map[[2]string]int, len(list))
	for _, j := range list {
		key := [2]string{j.query, j.document}
		if before, ok := at[key]; ok {
			return nil, j.errorf("document %q is judged a second time for query %q; line %d has it already", j.document, j.query, before)
		}
		at[key] = j.number
		if qrels[j.query] == nil {
			qrels[j.query] = make(Judgements)
		}
		qrels[j.query][j.document] = j.grade
	}
	return qrels, nil
}

func readJudgements(path string) ([]judgement, error) {
	var list []judgement
	var columns *table
	err := readLines(path, func(l line) error {
		if columns == nil {
			var header bool
			columns, header = qrelsTable(l)
			if header {
				return nil
			}
		}
		j, err := parseJudgement(l, columns)
		list = append(list, j)
		return err
	})
	if err == nil && len(list) == 0 {
		err = line{path: path, number: 1}.errorf("there is a header and no judgement below it")
	}
	return list, err
}

// qrelsTable is the form that the first line shows, and whether that line is a
// header. Three columns with tabs are BEIR's, unless blanks make four of them.
func qrelsTable(l line) (t *table, header bool) {
	columns := strings.Split(l.text, "\t")
	if len(columns) != 3 {
		return &table{want: []string{"query", "iteration", "document", "grade"}}, false
	}
	if _, err := strconv.Atoi(strings.TrimSpace(columns[2])); err != nil {
		return &table{want: []string{"query", "document", "grade"}, separator: "\t", decidedAt: l.number}, true
	}
	if len(strings.Fields(l.text)) == 4 {
		return &table{want: []string{"query", "iteration", "document", "grade"}}, false
	}
	return &table{want: []string{"query", "document", "grade"}}, false
}

func parseJudgement(l line, t *table) (judgement, error) {
	columns, err := t.cut(l)
	if err != nil {
		return judgement{}, err
	}
	n := len(columns)
	grade, err := strconv.Atoi(columns[n-1])
	if err != nil {
		return judgement{}, l.errorf("the grade is %q; it must be a whole number", columns[n-1])
	}
	return judgement{line: l, query: columns[0], document: columns[n-2], grade: grade}, nil
}
