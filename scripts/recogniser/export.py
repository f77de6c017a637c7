"""Writes a trained network as an ONNX model of QLinear operations: `export.py NETWORK.pt … FOLDER`.

Of several networks that were trained one from the other, the mean of their parameters is written: it reads better than each.
"""
import os
import sys

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from network import FEATURES
from train import empty_network

MICROSOFT = "com.microsoft"
# A level of a pixel is read as (level - 128) / 127.5; the network expects level / 127.5 - 1, which is half a level more.
PIXEL_SCALE, PIXEL_ZERO, HALF_LEVEL = 1 / 127.5, 128, 0.5 / 127.5
# 42.5 is 255 / 6: bytes of a gate that opens from -3 to 3.
GATE_SCALE_READ, GATE_ZERO_READ = 1 / 42.5, 128
GATE_SCALE, GATE_ZERO = 1 / 255, 0


def floats(parameter):
    return parameter.detach().numpy().astype(np.float32)


class Writer:
    def __init__(self):
        self.nodes, self.constants = [], []

    def constant(self, value):
        name = f"c{len(self.constants)}"
        array = np.ascontiguousarray(value) if np.ndim(value) else np.array(value)
        self.constants.append(numpy_helper.from_array(array, name))
        return name

    def byte(self, scale, zero):
        """How bytes are read: two inputs of a QLinear operation."""
        return [self.constant(np.float32(scale)), self.constant(np.uint8(zero))]

    def add(self, operation, inputs, output=None, domain="", **attributes):
        output = output or f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(operation, inputs, [output], domain=domain, **attributes))
        return output

    def quantised(self, operation, inputs, **attributes):
        return self.add(operation, inputs, domain=MICROSOFT, **attributes)


def convolution(writer, x, read, weight, bias, written, stride, pad, groups):
    weight, bias = floats(weight), floats(bias)
    scales = np.maximum(np.abs(weight).reshape(len(weight), -1).max(1), 1e-8) / 127
    whole = np.clip(np.rint(weight / scales.reshape(-1, 1, 1, 1)), -127, 127).astype(np.int8)
    bias = np.rint(bias / (scales * read[0])).astype(np.int64).clip(-(2**31), 2**31 - 1).astype(np.int32)
    constants = [whole, scales.astype(np.float32), np.zeros(len(weight), np.int8)]
    inputs = [x, *writer.byte(*read), *map(writer.constant, constants), *writer.byte(*written), writer.constant(bias)]
    shape = {"kernel_shape": list(weight.shape[2:]), "strides": list(stride), "pads": [*pad, *pad], "group": groups}
    return writer.add("QLinearConv", inputs, **shape)


def write_unit(writer, unit, x, read):
    """Returns the output, and how its bytes are read."""
    settings = (unit.stride, unit.pad, unit.groups)
    written = (float(unit.scale_y), int(unit.zero_y()))
    if unit.has_rectifier:
        return convolution(writer, x, read, unit.weight, unit.bias, written, *settings), written
    before = (float(unit.scale_p), int(unit.zero_p()))
    p = convolution(writer, x, read, unit.weight, unit.bias, before, *settings)
    # Bytes that mean (p + 3) / 6 from 0 to 1: no slope, only another scale, with the bounds of bytes.
    gate_inputs = [p, *writer.byte(*before), *writer.byte(GATE_SCALE_READ, GATE_ZERO_READ)]
    gate = writer.quantised("QLinearLeakyRelu", gate_inputs, alpha=1.0)
    # The shift is another zero of the same bytes.
    zero = written[1] + unit.steps_of_shift()
    assert 0 <= zero <= 255, "a shift is out of the range of bytes"
    product = [p, *writer.byte(*before), gate, *writer.byte(GATE_SCALE, GATE_ZERO), *writer.byte(written[0], zero)]
    return writer.quantised("QLinearMul", product), written


def write_excitation(writer, excitation, x, read):
    means = writer.quantised("QLinearGlobalAveragePool", [x, *writer.byte(*read), *writer.byte(*read)], channels_last=0)
    y = writer.add("DequantizeLinear", [means, *writer.byte(*read)])
    for k, (weight, bias) in enumerate([(excitation.w1, excitation.b1), (excitation.w2, excitation.b2)]):
        y = writer.add("Conv", [y, writer.constant(floats(weight)), writer.constant(floats(bias))], kernel_shape=[1, 1])
        y = writer.add("Relu", [y]) if k == 0 else writer.add("HardSigmoid", [y], alpha=1 / 6, beta=0.5)
    gate = writer.add("QuantizeLinear", [y, *writer.byte(GATE_SCALE, GATE_ZERO)])
    written = (float(excitation.scale_z), int(excitation.zero_z()))
    inputs = [x, *writer.byte(*read), gate, *writer.byte(GATE_SCALE, GATE_ZERO), *writer.byte(*written)]
    return writer.quantised("QLinearMul", inputs), written


class NeckWriter:
    def __init__(self, writer, neck):
        self.writer, self.neck = writer, neck

    def parameter(self, name):
        return self.writer.constant(floats(getattr(self.neck, name)))

    def swish(self, x):
        return self.writer.add("Mul", [x, self.writer.add("Sigmoid", [x])])

    def conv(self, i, x, pad):
        shape = list(getattr(self.neck, f"c{i}w").shape[2:])
        inputs = [x, self.parameter(f"c{i}w"), self.parameter(f"c{i}b")]
        return self.swish(self.writer.add("Conv", inputs, kernel_shape=shape, pads=[0, pad, 0, pad]))

    def norm(self, i, x, epsilon):
        inputs = [x, self.parameter(f"ln{i}w"), self.parameter(f"ln{i}b")]
        return self.writer.add("LayerNormalization", inputs, axis=-1, epsilon=epsilon)

    def linear(self, name, block, x):
        product = self.writer.add("MatMul", [x, self.parameter(f"{name}w{block}")])
        return self.writer.add("Add", [product, self.parameter(f"{name}b{block}")])

    def shaped(self, x, *shape):
        return self.writer.add("Reshape", [x, self.writer.constant(np.int64(shape))])

    def turned(self, x, *order):
        return self.writer.add("Transpose", [x], perm=list(order))

    def attended(self, block, x):
        # Eight heads of 15 features.
        qkv = self.turned(self.shaped(self.linear("qkv", block, x), 0, -1, 3, 8, 15), 2, 0, 3, 1, 4)
        q, k, v = [self.writer.add("Gather", [qkv, self.writer.constant(np.int64(i))], axis=0) for i in range(3)]
        q = self.writer.add("Mul", [q, self.writer.constant(np.float32(15**-0.5))])
        shares = self.writer.add("Softmax", [self.writer.add("MatMul", [q, self.turned(k, 0, 1, 3, 2)])], axis=-1)
        attended = self.writer.add("MatMul", [shares, v])
        return self.linear("p", block, self.shaped(self.turned(attended, 0, 2, 1, 3), 0, -1, FEATURES))

    def along(self, x):
        """(n, features, 1, steps) to (n, steps, features)."""
        return self.turned(self.writer.add("Squeeze", [x, self.writer.constant(np.int64([2]))]), 0, 2, 1)

    def write(self, x):
        z = self.along(self.conv(1, self.conv(0, x, 1), 0))
        for block in (0, 1):
            z = self.writer.add("Add", [z, self.attended(block, self.norm(2 * block, z, 1e-5))])
            inner = self.swish(self.linear("f", block, self.norm(2 * block + 1, z, 1e-5)))
            z = self.writer.add("Add", [z, self.linear("g", block, inner)])
        z = self.turned(self.norm(4, z, 1e-6), 0, 2, 1)
        z = self.writer.add("Unsqueeze", [z, self.writer.constant(np.int64([2]))])
        z = self.writer.add("Concat", [x, self.conv(2, z, 0)], axis=1)
        return self.along(self.conv(4, self.conv(3, z, 1), 0))


def onnx_model(network):
    writer = Writer()
    stem = network.stem
    read = (float(stem.scale_y), int(stem.zero_y()))
    bias = stem.bias + stem.weight.sum((1, 2, 3)) * HALF_LEVEL
    x = convolution(writer, "x", (PIXEL_SCALE, PIXEL_ZERO), stem.weight, bias, read, (2, 2), (1, 1), 1)
    for i, unit in enumerate(network.units):
        x, read = write_unit(writer, unit, x, read)
        excitation = network.excitation_behind(i)
        if excitation is not None:
            x, read = write_excitation(writer, excitation, x, read)
    x = writer.add("DequantizeLinear", [x, *writer.byte(*read)])
    x = writer.add("AveragePool", [x], kernel_shape=[3, 2], strides=[3, 2])
    x = NeckWriter(writer, network.neck).write(x)
    scores = writer.add("MatMul", [x, writer.constant(floats(network.last_weight))])
    scores = writer.add("Add", [scores, writer.constant(floats(network.last_bias))])
    writer.add("Softmax", [scores], output="y", axis=-1)
    graph = helper.make_graph(
        writer.nodes,
        "recogniser",
        [helper.make_tensor_value_info("x", TensorProto.UINT8, ["lines", 3, 48, "width"])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["lines", "steps", "classes"])],
        writer.constants,
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(MICROSOFT, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


if __name__ == "__main__":
    *trained, folder = sys.argv[1:]
    kept = [torch.load(path) for path in trained]
    network = empty_network(kept[0])
    parameters = [each["network"] for each in kept]
    network.load_state_dict({name: sum(each[name] for each in parameters) / len(kept) for name in parameters[0]})
    onnx.save(onnx_model(network), os.path.join(folder, "recogniser.onnx"))
    with open(os.path.join(folder, "characters.txt"), "w", encoding="utf8") as file:
        file.write("".join(kept[0]["characters"]) + "\n")
