"""Stands in for the sentence-transformers package: the calls that the peers make of it, answered by minilm."""
import minilm


class SentenceTransformer:
    def __init__(self, name, local_files_only=False):
        self.model = minilm.load(name)

    def encode(self, sentences, batch_size=32, show_progress_bar=False, convert_to_numpy=True):
        if isinstance(sentences, str):
            return self.model.embed([sentences])[0]
        return self.model.embed(sentences)

    def get_sentence_embedding_dimension(self):
        return minilm.DIMENSIONS
