"""Fits the convolutions behind rectifiers to what they computed behind swishes, layer by layer (least squares).

Without it a network whose swishes became rectifiers reads nothing; with it, it reads four lines of five as before, and training
does the rest.
"""
import torch
import torch.nn.functional as F

from network import tensor_of

SAMPLES_PER_LINE = 1200
# As a share of the mean square of the inputs; it pulls towards the weights of before.
RIDGE = 1e-2
# Below -3 a swish is nothing: how much below makes no difference.
LEAST = -4


def solved(square, product, before, ridge):
    return torch.linalg.solve(square + ridge, product + ridge @ before)


def pointwise(unit, inputs, wanted):
    x, y = [], []
    for each, target in zip(inputs, wanted):
        flat = each[0].flatten(1).T
        chosen = torch.randperm(len(flat))[:SAMPLES_PER_LINE]
        x.append(flat[chosen])
        y.append(target[0].flatten(1).T[chosen])
    x, y = torch.cat(x), torch.cat(y).clamp(min=LEAST)
    mean_x, mean_y = x.mean(0), y.mean(0)
    square = ((x - mean_x).T @ (x - mean_x) / len(x)).double()
    product = ((x - mean_x).T @ (y - mean_y) / len(x)).double()
    ridge = RIDGE * square.diagonal().mean() * torch.eye(len(square)).double()
    weight = solved(square, product, unit.weight[:, :, 0, 0].T.double(), ridge).float().T
    unit.weight.data[:, :, 0, 0] = weight
    unit.bias.data = mean_y - weight @ mean_x


def by_channel(unit, inputs, wanted):
    side, channels = unit.weight.shape[2], unit.weight.shape[0]
    terms = side * side + 1
    square = torch.zeros(channels, terms, terms).double()
    product = torch.zeros(channels, terms, 1).double()
    count = 0
    for each, target in zip(inputs, wanted):
        patches = F.unfold(each.transpose(0, 1), side, padding=unit.pad, stride=unit.stride)
        patches = torch.cat([patches, torch.ones(channels, 1, patches.shape[2])], 1).double()
        square += patches @ patches.transpose(1, 2)
        product += patches @ target[0].flatten(1).clamp(min=LEAST).double()[:, :, None]
        count += patches.shape[2]
    square, product = square / count, product / count
    weights = square.diagonal(dim1=1, dim2=2)[:, :-1].mean(1).clamp_min(1e-8)
    ridge = torch.eye(terms).double()[None] * (RIDGE * weights[:, None, None])
    ridge[:, -1, -1] *= 1e-3
    before = torch.cat([unit.weight.flatten(1), unit.bias[:, None]], 1).double()[:, :, None]
    fitted = solved(square, product, before, ridge)[:, :, 0].float()
    unit.weight.data = fitted[:, :-1].reshape(unit.weight.shape)
    unit.bias.data = fitted[:, -1].clone()


@torch.no_grad()
def refit(network, original, lines):
    """`network` has the weights of `original`, and rectifiers. Both in floats. Lines: bytes (3, 48, width)."""
    inputs = [network.stem(tensor_of(line)) for line in lines]
    originals = [original.stem(tensor_of(line)) for line in lines]
    for i, (unit, before) in enumerate(zip(network.units, original.units)):
        wanted = [before.convolved(x) for x in originals]
        if i > 0:
            (by_channel if unit.groups > 1 else pointwise)(unit, inputs, wanted)
        weigh, weigh_before = network.excitation_behind(i), original.excitation_behind(i)
        inputs = [unit.activated(unit.convolved(x)) for x in inputs]
        originals = [before.activated(p) for p in wanted]
        if weigh is not None:
            inputs, originals = [weigh(x) for x in inputs], [weigh_before(x) for x in originals]
