"""The recogniser as a network of PyTorch: the published one in floats, and the one of bytes that is made from it.

PP-OCRv4's recogniser (PP-LCNetV3 with a neck of two attention blocks, PaddleOCR, Apache-2.0) is a row of units: a convolution and a
hard swish, every second one for each channel by itself. Here the units compute with bytes as ONNX Runtime's QLinear operations
do; neck and last layer stay in floats. Units for each channel have a rectifier in place of the swish: it is a bound of the
convolution's bytes and costs nothing, where a swish reads and writes them twice (41 % of the time of a line).
"""
import copy
import ctypes
import os
import subprocess
import tempfile

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

FEATURES = 120
BLANK = 0


def compiled():
    source = os.path.join(os.path.dirname(__file__), "rounding.c")
    target = os.path.join(tempfile.mkdtemp(), "rounding.so")
    flags = ["-O3", "-march=native", "-ffast-math", "-fno-finite-math-only", "-fopenmp", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, source, "-o", target, "-lm"], check=True)
    library = ctypes.CDLL(target)
    number, pointer, count = ctypes.c_float, ctypes.c_void_p, ctypes.c_int64
    library.bytes_forward.argtypes = [pointer, pointer, count, number, number]
    library.bytes_backward.argtypes = [pointer, pointer, pointer, count, number, number, pointer]
    library.swish_forward.argtypes = [pointer, pointer, count] + [number] * 5
    library.swish_backward.argtypes = [pointer, pointer, pointer, count] + [number] * 5 + [pointer]
    return library


ROUNDING = compiled()


def dense(x):
    return x if x.is_contiguous() or x.is_contiguous(memory_format=torch.channels_last) else x.contiguous()


def same_layout(dy, x):
    last = x.is_contiguous(memory_format=torch.channels_last) and not x.is_contiguous()
    return dy.contiguous(memory_format=torch.channels_last if last else torch.contiguous_format)


def damped(sums, x):
    """The derivative of a scale, as much smaller as there are values that it sums over."""
    return [torch.tensor([each / np.sqrt(x.numel() * 255)], dtype=torch.float32) for each in sums]


class Bytes(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, zero):
        x = dense(x)
        y = torch.empty_like(x)
        ctx.numbers = (float(scale), zero)
        ROUNDING.bytes_forward(x.data_ptr(), y.data_ptr(), x.numel(), *ctx.numbers)
        ctx.save_for_backward(x)
        return y

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        dy, dx, sums = same_layout(dy, x), torch.empty_like(x), (ctypes.c_double * 1)()
        ROUNDING.bytes_backward(
            dy.data_ptr(), x.data_ptr(), dx.data_ptr(), x.numel(), *ctx.numbers, ctypes.addressof(sums)
        )
        return dx, *damped(sums, x), None


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale_p, scale_y, zero_p, zero_y, shift):
        x = dense(x)
        y = torch.empty_like(x)
        ctx.numbers = (float(scale_p), zero_p, float(scale_y), zero_y, shift)
        ROUNDING.swish_forward(x.data_ptr(), y.data_ptr(), x.numel(), *ctx.numbers)
        ctx.save_for_backward(x)
        return y

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        dy, dx, sums = same_layout(dy, x), torch.empty_like(x), (ctypes.c_double * 2)()
        ROUNDING.swish_backward(
            dy.data_ptr(), x.data_ptr(), dx.data_ptr(), x.numel(), *ctx.numbers, ctypes.addressof(sums)
        )
        return dx, *damped(sums, x), None, None, None


def rounded(x):
    return x + (torch.round(x) - x).detach()


def weight_bytes(weight):
    """Weights as whole numbers from -127 to 127, with a scale for each channel."""
    most = weight.detach().flatten(1).abs().amax(1).clamp_min(1e-8)
    scale = (most / 127).view(-1, *([1] * (weight.dim() - 1)))
    return rounded(weight / scale) * scale


def byte(value):
    return float(np.clip(round(value), 0, 255))


def nearly_most(values):
    """The value that one of ten thousand exceeds."""
    flat = values.detach().flatten()
    return float(torch.topk(flat, max(1, int(flat.numel() * 0.0001))).values[-1])


class Quantised(nn.Module):
    """What computes in floats at first, is watched, and then computes in bytes."""

    def __init__(self):
        super().__init__()
        self.is_quantised = False
        self.is_watched = False
        self.seen = {}

    def watch(self, name, values):
        if self.is_watched:
            self.seen.setdefault(name, []).append(nearly_most(values))

    def most(self, name):
        return max(float(np.median(self.seen[name])), float(np.mean(self.seen[name])))


def scale():
    return nn.Parameter(torch.ones(1))


class Unit(Quantised):
    """A convolution, then a swish and a shift, or a rectifier. The scale after a swish is in the weights behind it."""

    def __init__(self, weight, bias, groups, stride, pad, shift):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.tensor(weight)), nn.Parameter(torch.tensor(bias))
        self.groups, self.stride, self.pad, self.shift = groups, stride, pad, float(shift)
        self.has_rectifier = False
        self.scale_p, self.scale_y = scale(), scale()

    def rectify(self):
        self.has_rectifier, self.shift = True, 0.0

    def convolved(self, x):
        weight = weight_bytes(self.weight) if self.is_quantised else self.weight
        return F.conv2d(x, weight, self.bias, self.stride, self.pad, 1, self.groups)

    def activated(self, p):
        return F.relu(p) if self.has_rectifier else F.hardswish(p) + self.shift

    def least(self):
        return 0.0 if self.has_rectifier else min(0.0, self.shift - 0.375)

    def zero_p(self):
        """Below -3 a swish is zero: no byte is spent on it."""
        return byte(3.0 / float(self.scale_p))

    def zero_y(self):
        return byte(-self.least() / float(self.scale_y))

    def steps_of_shift(self):
        return round(self.shift / float(self.scale_y))

    def set_scales(self):
        if not self.has_rectifier:
            self.scale_p.data[0] = (self.most("p") + 3) / 255
        self.scale_y.data[0] = (self.most("y") - self.least()) / 255

    def forward(self, x):
        p = self.convolved(x)
        if self.is_quantised and self.has_rectifier:
            return Bytes.apply(p, self.scale_y, 0.0)
        if self.is_quantised:
            shift = self.steps_of_shift() * float(self.scale_y)
            return Swish.apply(p, self.scale_p, self.scale_y, self.zero_p(), self.zero_y(), shift)
        y = self.activated(p)
        self.watch("p", p)
        self.watch("y", y)
        return y


class Excitation(Quantised):
    """Weighs the channels by their means (squeeze and excitation)."""

    def __init__(self, w1, b1, w2, b2):
        super().__init__()
        self.w1, self.b1, self.w2, self.b2 = [nn.Parameter(torch.tensor(each)) for each in (w1, b1, w2, b2)]
        self.scale_z = scale()
        self.register_buffer("least", torch.zeros(1))

    def zero_z(self):
        return byte(-float(self.least) / float(self.scale_z))

    def set_scales(self):
        self.scale_z.data[0] = (self.most("z") - float(self.least)) / 255

    def forward(self, y):
        means = y.mean((2, 3), keepdim=True)
        gate = F.hardsigmoid(F.conv2d(F.relu(F.conv2d(means, self.w1, self.b1)), self.w2, self.b2))
        if self.is_quantised:
            return Bytes.apply(y * (rounded(gate * 255) / 255), self.scale_z, self.zero_z())
        z = y * gate
        if self.is_watched:
            self.least.clamp_(max=float(z.min()))
        self.watch("z", z)
        return z


class Stem(Quantised):
    """The first convolution, without a swish behind it."""

    def __init__(self, weight, bias):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.tensor(weight)), nn.Parameter(torch.tensor(bias))
        self.scale_y = scale()
        self.register_buffer("least", torch.zeros(1))

    def zero_y(self):
        return byte(-float(self.least) / float(self.scale_y))

    def set_scales(self):
        self.scale_y.data[0] = (self.most("y") - float(self.least)) / 255

    def forward(self, x):
        weight = weight_bytes(self.weight) if self.is_quantised else self.weight
        y = F.conv2d(x, weight, self.bias, 2, 1)
        if self.is_quantised:
            return Bytes.apply(y, self.scale_y, self.zero_y())
        if self.is_watched:
            self.least.clamp_(max=-nearly_most(-y))
        self.watch("y", y)
        return y


class Neck(nn.Module):
    """Convolutions and two attention blocks along the line, in floats."""

    def __init__(self, parameters):
        super().__init__()
        for name, value in parameters.items():
            self.register_parameter(name, nn.Parameter(torch.tensor(value)))

    def conv(self, i, x, pad):
        return F.silu(F.conv2d(x, getattr(self, f"c{i}w"), getattr(self, f"c{i}b"), 1, pad))

    def norm(self, i, x, epsilon):
        return F.layer_norm(x, (FEATURES,), getattr(self, f"ln{i}w"), getattr(self, f"ln{i}b"), epsilon)

    def linear(self, name, block, x):
        return x @ getattr(self, f"{name}w{block}") + getattr(self, f"{name}b{block}")

    def forward(self, x):
        z = self.conv(1, self.conv(0, x, (0, 1)), 0).flatten(2).transpose(1, 2)
        for block in (0, 1):
            qkv = self.linear("qkv", block, self.norm(2 * block, z, 1e-5))
            n, steps, _ = qkv.shape
            q, k, v = qkv.view(n, steps, 3, 8, 15).permute(2, 0, 3, 1, 4)
            attended = torch.softmax((q * 15**-0.5) @ k.transpose(-1, -2), -1) @ v
            z = z + self.linear("p", block, attended.transpose(1, 2).reshape(n, steps, FEATURES))
            z = z + self.linear("g", block, F.silu(self.linear("f", block, self.norm(2 * block + 1, z, 1e-5))))
        z = self.norm(4, z, 1e-6).transpose(1, 2).unsqueeze(2)
        z = torch.cat([x, self.conv(2, z, 0)], 1)
        return self.conv(4, self.conv(3, z, (0, 1)), 0).squeeze(2).transpose(1, 2)


class Recogniser(nn.Module):
    """Lines (n, 3, 48, width), as level / 127.5 - 1, to scores (n, width / 8, classes): blank, characters, space."""

    def __init__(self, stem, units, excitations, neck, last_weight, last_bias):
        super().__init__()
        self.stem, self.neck = stem, neck
        self.units, self.excitations = nn.ModuleList(units), nn.ModuleDict(excitations)
        self.last_weight, self.last_bias = nn.Parameter(last_weight), nn.Parameter(last_bias)

    def excitation_behind(self, i):
        return self.excitations[str(i)] if str(i) in self.excitations else None

    def parts(self):
        return [each for each in self.modules() if isinstance(each, Quantised)]

    def quantise(self, lines):
        """Finds the ranges of bytes by lines, and computes in bytes from then on."""
        for part in self.parts():
            part.is_watched = True
        with torch.no_grad():
            for line in lines:
                self(tensor_of(line))
        for part in self.parts():
            part.is_watched, part.is_quantised = False, True
            part.set_scales()

    def forward(self, x):
        x = self.stem(x)
        for i, unit in enumerate(self.units):
            x = unit(x)
            excitation = self.excitation_behind(i)
            x = x if excitation is None else excitation(x)
        return self.neck(F.avg_pool2d(x, (3, 2))) @ self.last_weight + self.last_bias

    def rectify(self):
        """Rectifiers where a unit is for each channel by itself and nothing weighs its channels."""
        for i, unit in enumerate(self.units):
            if unit.groups > 1 and self.excitation_behind(i) is None:
                unit.rectify()


def tensor_of(line):
    return torch.tensor(line).float()[None] / 127.5 - 1


def decode(scores, characters):
    """The most probable class of each step, repeats once, blanks left out."""
    text, before = "", BLANK
    for chosen in scores.argmax(-1).tolist():
        if chosen not in (before, BLANK):
            text += " " if chosen == len(characters) + 1 else characters[chosen - 1]
        before = chosen
    return text


def copied(network):
    return copy.deepcopy(network)
