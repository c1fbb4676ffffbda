package skill

import (
	"regexp"
	"slices"
)

// A Machine is what skills may need of where they run. A nil function stands
// for a machine that has none of it. The functions must be safe for concurrent
// use.
type Machine struct {
	HasBinary func(name string) bool
	// Elevated tells whether the process has elevated privileges.
	Elevated func() bool
	// Privileged tells whether a binary carries privileges of its own, such as
	// those that setcap grants: then it needs no elevated process.
	Privileged func(name string) bool
	// Credential tells where the value of a variable comes from, "environment"
	// or "stored"; ok is false when it has none. It never tells the value.
	Credential func(variable string) (source string, ok bool)
}

// An Eligibility is what a Machine lacks of what a skill requires.
type Eligibility struct {
	MissingBinaries    []string
	NeedsElevation     bool
	MissingCredentials []string
}

// Eligible reports whether nothing is missing.
func (e Eligibility) Eligible() bool {
	return len(e.MissingBinaries) == 0 && !e.NeedsElevation && len(e.MissingCredentials) == 0
}

// Check finds what m lacks, in the order in which the skill requires it. A skill
// that requires elevation has it too where one of its binaries is privileged.
func (r Requires) Check(m Machine) Eligibility {
	e := Eligibility{NeedsElevation: r.Elevated && !m.elevated() && !slices.ContainsFunc(r.Binaries, m.privileged)}
	for _, name := range r.Binaries {
		if m.HasBinary == nil || !m.HasBinary(name) {
			e.MissingBinaries = append(e.MissingBinaries, name)
		}
	}
	for _, name := range r.Credentials {
		if _, ok := m.credential(name); !ok {
			e.MissingCredentials = append(e.MissingCredentials, name)
		}
	}
	return e
}

// CredentialStates tells of each required credential where it comes from, "" for
// one that is missing.
func (r Requires) CredentialStates(m Machine) map[string]string {
	states := make(map[string]string, len(r.Credentials))
	for _, name := range r.Credentials {
		states[name], _ = m.credential(name)
	}
	return states
}

func (m Machine) elevated() bool { return m.Elevated != nil && m.Elevated() }

func (m Machine) privileged(binary string) bool { return m.Privileged != nil && m.Privileged(binary) }

func (m Machine) credential(variable string) (source string, ok bool) {
	if m.Credential == nil {
		return "", false
	}
	return m.Credential(variable)
}

var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// IsVariable reports whether a name can be that of an environment variable.
func IsVariable(name string) bool { return variable.MatchString(name) }
