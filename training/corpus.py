"""What is trained on: needs in users' words, and the skills that answer them."""

import dataclasses
import json
import pathlib
import random
import re

WRITTEN = ("task", "situation")  # kinds of needs in a file of written ones
PASSAGE = 600  # characters; the product cuts bodies into passages of this size for this model


@dataclasses.dataclass(frozen=True)
class Skill:
    id: str
    name: str
    description: str
    body: str

    @property
    def head(self):
        """The text that the product embeds first."""
        return f"{self.name}. {self.description}" if self.description else self.name


@dataclasses.dataclass(frozen=True)
class Need:
    """A need in a user's words, and the number of the skill that answers it."""

    text: str
    skill: int
    kind: str  # "given", one of WRITTEN, or "sentence"


def read(folder, written=None):
    """Returns the skills and needs of a folder with skills.jsonl and pairs.jsonl, and those of the file written."""
    folder = pathlib.Path(folder)
    skills = [Skill(s["id"], s["name"], s.get("description", ""), s.get("body", "")) for s in _lines(folder / "skills.jsonl")]
    number = {s.id: i for i, s in enumerate(skills)}
    needs = [Need(p["query"], number[p["id"]], "given") for p in _lines(folder / "pairs.jsonl")]
    for row in _lines(written) if written else ():
        if row["id"] in number:
            needs += [Need(row[kind], number[row["id"]], kind) for kind in WRITTEN if row.get(kind)]
    needs += [Need(sentence, i, "sentence") for i, s in enumerate(skills) if (sentence := first_sentence(s.description))]
    return skills, needs


def _lines(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def first_sentence(text):
    """Returns the first sentence of a description when it is long enough to be a need, or ""."""
    sentence = re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]
    return sentence if 4 <= len(sentence.split()) <= 40 else ""


def document(skill, need, rng):
    """Returns a form of the skill as the product embeds it, without the words of the need that stand in it as they are."""
    body = without(skill.body, need.text).strip()
    if need.kind == "sentence":
        return passage(body, rng) if len(body) > 200 else ""
    description = without(skill.description, need.text).strip()
    form = rng.random()
    if form < 0.2 and len(body) > 200:
        return passage(body, rng)
    if form < 0.35 and len(body) > 200:
        return f"{skill.name}. {description[:200]} {body[:350]}"
    if form < 0.45 and len(description) > 60:
        return description
    return f"{skill.name}. {description}"


def passage(body, rng):
    """Returns a piece of the body that begins and ends between words."""
    start = rng.randrange(max(1, len(body) - PASSAGE))
    words = body[start:start + PASSAGE].split(" ")
    return " ".join(words[1:-1] if start else words[:-1])


def without(text, phrase):
    """Returns text without phrase, whose case and blanks may differ."""
    words = re.findall(r"\w+", phrase)
    if len(words) < 2:
        return text
    return re.sub(r"\W+".join(map(re.escape, words)), " ", text, flags=re.IGNORECASE)


def shuffled(items, seed):
    items = list(items)
    random.Random(seed).shuffle(items)
    return items
