package credentials

import "log/slog"

// hiddenText is what a Secret shows of itself.
const hiddenText = "[hidden]"

// A Secret is the value of a credential. No way to print, encode or log it shows
// the value; the zero Secret is empty. It lies behind a pointer, because fmt
// looks into fields whose methods it can't call.
type Secret struct{ text *string }

// NewSecret hides a text.
func NewSecret(text string) Secret { return Secret{&text} }

// reveal is the value, for the file alone.
func (s Secret) reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

func (Secret) String() string { return hiddenText }

// GoString hides the value from %#v.
func (Secret) GoString() string { return hiddenText }

// MarshalText hides the value from encoders, JSON's among them.
func (Secret) MarshalText() ([]byte, error) { return []byte(hiddenText), nil }

// LogValue hides the value from slog.
func (Secret) LogValue() slog.Value { return slog.StringValue(hiddenText) }
