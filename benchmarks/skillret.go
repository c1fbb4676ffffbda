package benchmarks

import (
	"fmt"
	"os"
	"path/filepath"
)

// skillRetFiles are where SkillRet (arXiv 2605.05726) keeps its test split, below
// the folder that its data set is downloaded into.
func skillRetFiles(dir string) (skills, queries, qrels string) {
	return filepath.Join(dir, "data", "skills", "test.jsonl"), filepath.Join(dir, "data", "queries", "test.jsonl"), filepath.Join(dir, "data", "qrels", "test.jsonl")
}

func isSkillRet(dir string) bool {
	skills, _, _ := skillRetFiles(dir)
	_, err := os.Stat(skills)
	return err == nil
}

// readSkillRet reads the test split. The type of a query is how many skills it
// needs, by which the paper breaks its figures down.
func readSkillRet(dir string) (*Collection, error) {
	skills, queries, qrels := skillRetFiles(dir)
	b := builder{}
	var err error
	if b.documents, err = readCorpus(skills, parseSkillRetSkill); err != nil {
		return nil, err
	}
	if b.queries, err = gatherQueries(queries, parseSkillRetQuery); err != nil {
		return nil, err
	}
	err = readLines(qrels, func(l line) error {
		j, err := parseSkillRetJudgement(l)
		b.judgements = append(b.judgements, j)
		return err
	})
	if err != nil {
		return nil, err
	}
	return b.build(nameOf(dir))
}

func parseSkillRetSkill(l line) (Document, error) {
	var s struct {
		ID          string `json:"id"`
		Name        string `json:"name"`
		Description string `json:"description"`
		Body        string `json:"body"`
	}
	if err := decode(l, &s); err != nil {
		return Document{}, err
	}
	return Document{ID: s.ID, Title: s.Name, Description: s.Description, Text: s.Body}, nil
}

func parseSkillRetQuery(l line) (Query, error) {
	var q struct {
		ID    string `json:"id"`
		Query string `json:"query"`
		K     int    `json:"k"`
	}
	if err := decode(l, &q); err != nil {
		return Query{}, err
	}
	kind := ""
	if q.K > 0 {
		kind = fmt.Sprintf("%d skills", q.K)
	}
	return Query{ID: q.ID, Text: q.Query, Type: kind}, nil
}

func parseSkillRetJudgement(l line) (judgement, error) {
	j := struct {
		Query     string `json:"query_id"`
		Skill     string `json:"skill_id"`
		Relevance *int   `json:"relevance"`
	}{}
	if err := decode(l, &j); err != nil {
		return judgement{}, err
	}
	if j.Query == "" || j.Skill == "" || j.Relevance == nil {
		return judgement{}, l.errorf("query_id, skill_id and relevance must all be there")
	}
	return judgement{line: l, query: j.Query, document: j.Skill, grade: *j.Relevance}, nil
}
