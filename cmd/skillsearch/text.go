package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// printable makes a text fit for one line of a terminal: control and
// formatting characters are written as escapes.
func printable(text string) string {
	if !strings.ContainsFunc(text, unprintable) {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		if unprintable(r) {
			fmt.Fprintf(&out, "\\u%04x", r)
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}

func unprintable(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200d' && r != '\u200c'
}

// oneLine folds line breaks and runs of blanks, and makes the rest printable.
func oneLine(text string) string { return printable(strings.Join(strings.Fields(text), " ")) }

const defaultWidth = 80

// terminalWidth is the width of a terminal in columns, 0 for anything else.
func terminalWidth(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 {
		return defaultWidth // a terminal that does not tell
	}
	return width
}

// style marks text for a terminal. The zero style marks nothing.
type style struct{ colour bool }

// style is for the app's stdout. Pipes and NO_COLOR get plain text.
func (a *app) style() style {
	return style{colour: terminalWidth(a.env.stdout) > 0 && a.env.getenv("NO_COLOR") == "" && a.env.getenv("TERM") != "dumb"}
}

func (s style) bold(text string) string  { return s.mark("1", text) }
func (s style) faint(text string) string { return s.mark("2", text) }

func (s style) mark(code, text string) string {
	if !s.colour {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}
