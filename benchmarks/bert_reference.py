"""Compare our WordPiece tokenizer and encoder layers with the transformers library, on real encoders and corpora.

    SAU_ENCODERS=FOLDER SAU_DATA=... python benchmarks/bert_reference.py

FOLDER contains the encoders BAAI/bge-small-zh-v1.5, sentence-transformers/all-MiniLM-L6-v2 and
sentence-transformers/all-mpnet-base-v2.
"""

from __future__ import annotations

import argparse

import torch
import transformers

from sau_solver.data import load
from sau_solver.models.encoders.pretrained import KINDS, find_encoder, read_pretrained
from sau_solver.models.layers.dropout import keep_all
from sau_solver.text.numbers import NUMBER_WORD, map_text
from sau_solver.text.pieces import Pieces

PROBLEMS = 2000  # of each corpus
STATES = 50  # problems whose states are compared
COMPARED = {
    "BAAI/bge-small-zh-v1.5": ("math23k", "hmwp", "cm17k-valid"),
    "sentence-transformers/all-MiniLM-L6-v2": ("gsm8k", "mawps", "dolphin18k", "mathqa-valid"),
    "sentence-transformers/all-mpnet-base-v2": ("gsm8k", "mawps", "dolphin18k", "mathqa-valid"),
}


def main() -> None:
    """Print one row per corpus and encoder."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    for name, corpora in COMPARED.items():
        if (place := find_encoder(name)) is None:
            print(f"{name}: not in SAU_ENCODERS")
            continue
        tokenizer = transformers.AutoTokenizer.from_pretrained(place)
        published = tokenizer.get_vocab()
        pieces = Pieces(tuple(sorted(published, key=published.__getitem__)))
        for corpus in corpora:
            texts = [map_text(problem.text, problem.language).words for problem in list(load(corpus))[:PROBLEMS]]
            words = [word for text in texts for word in text if word != NUMBER_WORD]
            differ = sum(_ours(pieces, word) != _theirs(tokenizer, word) for word in words)
            print(f"{name}  {corpus}: {differ} of {len(words):,} words differ")
        found = read_pretrained(name, texts[:STATES], 1)
        ours = KINDS[found.shape.kind].layers(len(found.tokens), found.shape)
        ours.load_state_dict(found.weights)
        theirs = transformers.AutoModel.from_pretrained(place, add_pooling_layer=False)
        theirs.eval()
        largest = 0.0
        for text in texts[:STATES]:
            read = [word for word in text if word != NUMBER_WORD]
            ids, _ = found.tokens.read(read)
            given = tokenizer([word.lower() for word in read], is_split_into_words=True, return_tensors="pt")
            with torch.no_grad():
                states = ours(torch.tensor([ids]), torch.tensor([len(ids)]), keep_all)
                expected = theirs(given["input_ids"]).last_hidden_state
            largest = max(largest, float((states - expected).abs().max()))
        print(f"{name}  states of {STATES} problems: largest difference {largest:.1e}")


def _ours(pieces: Pieces, word: str) -> list[str]:
    first = len(pieces) - len(pieces.pieces)
    return [pieces.pieces[index - first] if index >= first else "[UNK]" for index in pieces.read([word])[0][1:-1]]


def _theirs(tokenizer: transformers.PreTrainedTokenizerBase, word: str) -> list[str]:
    return tokenizer.tokenize(word.lower()) or ["[UNK]"]


if __name__ == "__main__":
    main()
