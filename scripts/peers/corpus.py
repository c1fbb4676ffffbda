"""The same documents for every peer: a corpus.jsonl as a folder of skills."""
import hashlib
import json
import re


def source(folder):
    """The corpus.jsonl of a collection; a file of one line may instead name it, relative to the folder."""
    path = folder / "corpus.jsonl"
    with path.open(encoding="utf-8") as lines:
        first = lines.readline().strip()
    return (path if first.startswith("{") else folder / first).resolve()


def documents(path):
    """Yields id, name, description, body of each line of a corpus.jsonl as BEIR has it."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            description = " ".join(entry.get("metadata", {}).get("description", "").split())
            yield entry["_id"], entry["title"], description, entry["text"]


def write(path, work):
    """Writes path's documents below work, once; returns the folder of skills and the document of each name.

    Some peers know a skill by its name alone, and some refuse names that the
    Agent Skills specification doesn't allow. So that no peer loses a document
    by that, a name becomes one that it allows, and its second bearer NAME-2.
    """
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    skills, names = work / "corpora" / digest / "skills", {}
    for document, title, description, body in documents(path):
        slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "unnamed"
        name, number = slug, 2
        while name in names:
            name, number = f"{slug}-{number}", number + 1
        names[name] = document
        file = skills / name / "SKILL.md"
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"---\nname: {name}\ndescription: {scalar(description)}\n---\n\n{body}\n", "utf-8")
    return skills, names


def scalar(text):
    """Text as a YAML value: plain where that is safe, since some peers read the header by line, else quoted."""
    plain = re.fullmatch(r"[A-Za-z][^\n]*[^\s:]", text) and not re.search(r":\s|\s#", text)
    return text if plain else json.dumps(text, ensure_ascii=False)
