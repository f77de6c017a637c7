"""Reads the published recogniser (PP-OCRv4, ONNX) as a network of PyTorch."""
import numpy as np
import onnx
import torch
from onnx import numpy_helper

from network import Excitation, Neck, Recogniser, Stem, Unit


def published(model_path):
    """Reads the published model (ONNX): the network with all its classes."""
    graph = onnx.load(model_path).graph
    constants = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    for node in graph.node:
        for attribute in node.attribute if node.op_type == "Constant" else []:
            constants[node.output[0]] = numpy_helper.to_array(attribute.t)
    nodes = [node for node in graph.node if node.op_type != "Constant"]
    end = next(i for i, node in enumerate(nodes) if node.op_type == "AveragePool")
    stem, units, excitations, scale_before = read_units(nodes[:end], constants)
    neck, last_weight, last_bias = read_neck(nodes[end:], constants, scale_before)
    return Recogniser(stem, units, excitations, neck, torch.tensor(last_weight), torch.tensor(last_bias))


def number_beside(node, constants):
    return next(float(constants[name].reshape(-1)[0]) for name in node.input if name in constants)


def without_normalisation(node, weight, constants):
    factor, shift, mean, variance = [constants[name] for name in node.input[1:5]]
    factor = factor / np.sqrt(variance + 1e-5)
    return (weight * factor.reshape(-1, 1, 1, 1)).astype(np.float32), (shift - mean * factor).astype(np.float32)


def read_units(nodes, constants):
    """Each unit is Conv, Mul, Add (a scale and a shift), Add, Clip, Mul, Div (the swish), Mul, Add (again)."""
    stem, units, excitations, scale_before, i = None, [], {}, 1.0, 0
    while i < len(nodes):
        node = nodes[i]
        if node.op_type != "Conv":
            i += 1
            continue
        weight = constants[node.input[1]].copy()
        following = nodes[i + 1].op_type
        if following == "BatchNormalization":
            stem = Stem(*without_normalisation(nodes[i + 1], weight, constants))
            i += 2
        elif following == "Relu":
            second = [constants[name].copy() for name in nodes[i + 2].input[1:3]]
            excitations[str(len(units) - 1)] = Excitation(weight * scale_before, constants[node.input[2]].copy(), *second)
            i += 5
        else:
            before, shift_before, after, shift_after = [number_beside(nodes[i + k], constants) for k in (1, 2, 7, 8)]
            attributes = {each.name: list(each.ints) or each.i for each in node.attribute}
            bias = constants[node.input[2]] * np.float32(before) + np.float32(shift_before)
            weight = weight * np.float32(scale_before * before)
            pads, strides = attributes["pads"], tuple(attributes["strides"])
            units.append(Unit(weight, bias, attributes["group"], strides, (pads[0], pads[1]), shift_after / after))
            scale_before = after
            i += 9
    return stem, units, excitations, scale_before


def read_neck(nodes, constants, scale_before):
    parameters, convolutions = {}, [i for i, node in enumerate(nodes) if node.op_type == "Conv"]
    for k, i in enumerate(convolutions):
        weight = constants[nodes[i].input[1]].copy()
        weight, parameters[f"c{k}b"] = without_normalisation(nodes[i + 1], weight, constants)
        # The first one, and the part of the fourth one that skips the attention, read what the units gave.
        if k == 0:
            weight *= np.float32(scale_before)
        if k == 3:
            weight[:, :480] *= np.float32(scale_before)
        parameters[f"c{k}w"] = weight
    products = [i for i, node in enumerate(nodes) if node.op_type == "MatMul" and node.input[1] in constants]
    pairs = [(constants[nodes[i].input[1]], constants[nodes[i + 1].input[1]]) for i in products]
    for block in (0, 1):
        for name, (weight, bias) in zip(["qkv", "p", "f", "g"], pairs[4 * block : 4 * block + 4]):
            parameters[f"{name}w{block}"], parameters[f"{name}b{block}"] = weight, bias
    roots = [i for i, node in enumerate(nodes) if node.op_type == "Sqrt"]
    for k, i in enumerate(roots):
        parameters[f"ln{k}w"], parameters[f"ln{k}b"] = [constants[nodes[i + j].input[1]] for j in (2, 3)]
    neck = Neck({name: np.array(value, np.float32) for name, value in parameters.items()})
    return neck, np.array(pairs[8][0]), np.array(pairs[8][1])
