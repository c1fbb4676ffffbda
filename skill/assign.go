package skill

import "strings"

// assign sets the skill's values from the header's fields.
func (p *parser) assign(fields []field) {
	s := p.skill
	for _, f := range fields {
		switch f.key {
		case "name":
			p.assignName(f)
		case "description":
			p.assignDescription(f)
		case "title":
			s.Title, _ = f.scalar()
		case "code":
			s.Code, _ = f.scalar()
		case "skillbook":
			s.SkillBook, _ = f.scalar()
		case "category":
			s.Category, _ = f.scalar()
		case "difficulty":
			s.Difficulty, _ = f.scalar()
		case "tags":
			s.Tags = f.tags()
		case "active":
			text, ok := f.scalar()
			if ok && text != "" && !f.yes() && !f.no() {
				p.report(ValueInvalid, f.line, "the value of active is neither true nor false; it is taken for false", "write true or false")
			}
			s.Active = s.Active && (!ok || text == "" || f.yes())
		case "status":
			text, _ := f.scalar()
			s.Active = s.Active && !strings.EqualFold(text, "deleted")
		case "deleted":
			s.Active = s.Active && !f.yes()
		case "disable-model-invocation":
			s.OperatorOnly = p.guards(f)
		case "tools":
			s.Tools = f.list()
		case "allowed-tools":
			s.AllowedTools = f.list()
		case "model":
			s.Model, _ = f.scalar()
		case "license":
			s.License, _ = f.scalar()
		case "compatibility":
			s.Compatibility, _ = f.scalar()
		case "version":
			s.Version, _ = f.scalar()
		case "always-present":
			s.AlwaysPresent = f.yes()
		case "creator":
			s.Creator, _ = f.scalar()
		case "planck-version":
			s.PlanckVersion, _ = f.scalar()
		case "requires":
			if len(f.entries()) == 0 {
				p.report(ValueInvalid, f.line, "requires is no mapping; what the skill needs is not known", "write it as requires: {binaries: [nmap], privileges: elevated, credentials: [TOKEN]}")
			}
			s.Requires.add(f.entries())
		default:
			p.assignOther(f)
		}
	}
	p.assignMetadata()
}

// guards reads a flag that keeps a skill from somebody: what is neither yes nor
// no was meant to, and is reported.
func (p *parser) guards(f field) bool {
	if !f.yes() && !f.no() {
		p.report(ValueInvalid, f.line, "the value of "+f.raw+" is neither true nor false; it is taken for true", "write true or false")
		return true
	}
	return f.yes()
}

func (p *parser) assignName(f field) {
	p.nameLine = f.line
	name, ok := f.scalar()
	if !ok && f.node != nil && follow(f.node).Content != nil {
		p.report(NameInvalid, f.line, "the name is a list or a mapping; the folder's name is used", "write the name as one word")
		return
	}
	p.skill.Name = name
}

func (p *parser) assignDescription(f field) {
	p.descriptionLine = f.line
	text, ok := f.scalar()
	if list := f.list(); !ok && len(list) > 0 { // "[WIP] does x" written as a list
		text = strings.Join(list, ", ")
	}
	text, cut := f.withComments(text)
	if cut {
		p.report(YAMLCommentInDescription, f.line, "YAML takes what follows \" #\" in the description for a comment; it was kept", "quote the description")
	}
	if text = strings.TrimSpace(text); text != "" {
		p.skill.Description, p.skill.DescriptionSource = text, FromHeader
	}
}

// assignOther keeps a key that has no field of its own. What lies under
// "metadata" counts where the header itself says nothing.
func (p *parser) assignOther(f field) {
	if f.key == "metadata" {
		p.metadata = f.entries()
	}
	if p.nodes <= 0 {
		return // reported already
	}
	value, ok := f.data(&p.nodes)
	if !ok {
		p.report(LimitReached, f.line, "the header grows too large when its aliases are followed; "+f.raw+" and the unknown keys behind it were left out", "write the values out")
		return
	}
	if p.skill.Metadata == nil {
		p.skill.Metadata = make(map[string]any)
	}
	p.skill.Metadata[f.raw] = value
}

func (p *parser) assignMetadata() {
	s, entries := p.skill, p.metadata
	if f, ok := lookup(entries, "category"); ok && s.Category == "" {
		s.Category, _ = f.scalar()
	}
	if f, ok := lookup(entries, "tags"); ok && s.Tags == nil {
		s.Tags = f.tags()
	}
	if vendor, ok := lookup(entries, "openclaw"); ok {
		if requires, ok := lookup(vendor.entries(), "requires"); ok {
			s.Requires.add(requires.entries())
		}
	}
}

// add reads what a skill requires: binaries or bins, credentials or env,
// privileges.
func (r *Requires) add(entries []field) {
	for _, f := range entries {
		switch f.key {
		case "binaries", "bins":
			r.Binaries = append(r.Binaries, f.list()...)
		case "credentials", "env":
			r.Credentials = append(r.Credentials, f.list()...)
		case "privileges":
			text, _ := f.scalar()
			r.Elevated = r.Elevated || strings.EqualFold(text, "elevated")
		}
	}
}
