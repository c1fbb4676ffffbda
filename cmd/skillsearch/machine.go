package main

import (
	"os/exec"
	"path/filepath"

	"github.com/skillsearch/skillsearch/credentials"
	"github.com/skillsearch/skillsearch/skill"
)

// machine is this one. Nothing is remembered: a binary that was installed a
// moment ago counts, and looking takes microseconds.
func (a *app) machine() skill.Machine {
	return skill.Machine{
		HasBinary:  func(name string) bool { _, ok := findBinary(name); return ok },
		Elevated:   elevated,
		Privileged: func(name string) bool { path, ok := findBinary(name); return ok && privileged(path) },
		Credential: a.credentialSource,
	}
}

// findBinary finds a program on the PATH. A relative path would mean another
// file in each folder, so it is none.
func findBinary(name string) (path string, ok bool) {
	if filepath.Base(name) != name && !filepath.IsAbs(name) {
		return "", false
	}
	path, err := exec.LookPath(name)
	return path, err == nil
}

// credentials is the operator's store, in the user's configuration folder.
func (a *app) credentials() *credentials.Store {
	dir := ""
	if a.env.configDir != "" {
		dir = filepath.Join(a.env.configDir, "skillsearch", "credentials")
	}
	return credentials.New(dir, a.env.getenv)
}

// credentialSource takes a store that can't be read for an empty one, and says
// so: its operator has to know, the model that asks can do nothing.
func (a *app) credentialSource(variable string) (source string, ok bool) {
	source, err := a.credentials().Source(variable)
	if err != nil {
		a.logger().Error("the stored credentials are not used", "reason", err)
	}
	return source, source != ""
}
