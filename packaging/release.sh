#!/usr/bin/env bash
# Builds what is released, into dist/: an archive for each platform with the
# binary, licences, shell completions and manual pages; a CycloneDX SBOM of each
# binary's modules; and SHA256SUMS of all of it. Times, owners and orders are
# fixed, so that the same commit and Go give the same bytes.
#
#   packaging/release.sh [VERSION]     VERSION defaults to git's description
#
# Needs Go, git, GNU tar, gzip and zip.
set -euo pipefail
cd "$(dirname "$0")/.."
GO=${GO:-go}
version=${1:-$(git describe --tags --always --dirty)}
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH CGO_ENABLED=0 TZ=UTC LC_ALL=C
platforms="linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64"
out=dist
rm -rf "$out"
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() { # FILE, for GOOS and GOARCH
  $GO build -trimpath -buildvcs=false -ldflags "-s -w -X main.version=$version" -o "$1" ./cmd/skillsearch
}

# What is the same on every platform is written by a binary of this machine.
build "$work/host"
mkdir -p "$work/common/completions"
cp README.md CHANGELOG.md LICENSE "$work/common"
cp data/minilm/LICENSE "$work/common/LICENSE.model"
cp data/minilm/NOTICE "$work/common/NOTICE.model"
for shell in bash zsh fish powershell; do
  "$work/host" completion "$shell" >"$work/common/completions/skillsearch.$shell"
done
"$work/host" man "$work/common/man/man1"

for platform in $platforms; do
  export GOOS=${platform%/*} GOARCH=${platform#*/}
  name=skillsearch-$version-$GOOS-$GOARCH
  exe=skillsearch
  if [[ $GOOS == windows ]]; then exe=skillsearch.exe; fi
  mkdir "$work/$name"
  cp -r "$work/common/." "$work/$name"
  build "$work/$name/$exe"
  # What is in the binary, read from it.
  env -u GOOS -u GOARCH "$GO" tool -modfile=tools.mod cyclonedx-gomod bin -json -noserial -notimestamp -version "$version" \
    -output "$out/$name.cdx.json" "$work/$name/$exe" 2>/dev/null
  find "$work/$name" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
  if [[ $GOOS == windows ]]; then
    (cd "$work" && find "$name" -type f | sort | zip -q -X -@ - >"$OLDPWD/$out/$name.zip")
  else
    tar -C "$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=ustar -cf - "$name" | gzip -n -9 >"$out/$name.tar.gz"
  fi
  rm -r "${work:?}/$name"
  echo "$name" >&2
done
(cd "$out" && sha256sum -- * >SHA256SUMS)
