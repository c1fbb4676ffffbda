package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/skillsearch/skillsearch"
)

// version is set at the build: -ldflags "-X main.version=v1.2.3".
var version string

// buildVersion is the released version, else the module's, else "devel".
func buildVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			platform := runtime.GOOS + "/" + runtime.GOARCH
			if a.flags.json {
				return skillsearch.Encode(a.env.stdout, map[string]string{"version": buildVersion(), "go": runtime.Version(), "platform": platform})
			}
			_, err := fmt.Fprintf(a.env.stdout, "skillsearch %s (%s, %s)\n", buildVersion(), runtime.Version(), platform)
			return err
		},
	}
}
