package data

import "embed"

//go:embed all:skills
var skills embed.FS

// Skills returns the skills that come with skillsearch: below the folder
// "skills" a skillbook.yaml and for each skill a folder NAME with its SKILL.md
// and the files beside it. It is read-only and safe for concurrent use.
func Skills() embed.FS { return skills }
