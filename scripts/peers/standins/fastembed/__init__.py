"""Stands in for the fastembed package: the calls that the peers make of it, answered by minilm."""
import minilm


class TextEmbedding:
    def __init__(self, model_name):
        self.model = minilm.load(model_name)

    def embed(self, documents):
        return iter(self.model.embed(documents))
