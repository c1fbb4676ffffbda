import sys


def merge(files):
    """Merge PDF files in order."""
    return b"".join(open(f, "rb").read() for f in files)


if __name__ == "__main__":
    merge(sys.argv[1:])
