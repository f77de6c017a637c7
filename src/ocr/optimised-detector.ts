import { mergeResiduals, replaceHead } from "./detector-head.ts";
import { foldNeck } from "./detector-neck.ts";
import { floatOf, intsOf, newNode, toGraph, withGraph } from "./onnx.ts";
import type { OnnxGraph, OnnxNode } from "./onnx.ts";

// PP-LCNetV3 has a learned scale and shift before and after each hard swish, and the exported model contains
// x · clip(x + 3, 0, 6) / 6 as four operations. Each of them reads all the pixels once, in another memory layout than
// ONNX Runtime's fast convolutions, so that everything is also reordered twice: 44 % of the detector's time, measured
// with its profiler. Written as below they are a part of the convolution before them.
//
// That takes 160 to 200 ms, so the result is kept in a file (kept-file.ts).

/**
 * Returns an equivalent detector with faster scales, hard swishes, neck and end; outputs differ by rounding only.
 * Throws RangeError for another model.
 */
export function optimisedDetector(model: Uint8Array): Uint8Array {
  const graph = toGraph(model);
  foldAffines(graph);
  replaceHead(graph);
  mergeResiduals(graph);
  foldNeck(graph);
  for (const swish of hardSwishesIn(graph)) replaceHardSwish(graph, swish);
  return withGraph(model, graph);
}

/** Merges a multiplication by or addition of one number after a convolution into the weights of the convolution. */
function foldAffines(graph: OnnxGraph): void {
  for (const conv of graph.nodes.filter(({ op }) => op === "Conv")) {
    for (;;) {
      const next = onlyConsumer(graph, conv.outputs[0]!);
      const number =
        next && (next.op === "Mul" || next.op === "Add") ? numberBeside(graph, next, conv.outputs[0]!) : null;
      if (!next || number === null) break;
      if (next.op === "Mul") for (const name of conv.inputs.slice(1)) scaleConstant(graph, name, number);
      else shiftBias(graph, conv, () => number);
      conv.outputs = next.outputs;
      graph.nodes.splice(graph.nodes.indexOf(next), 1);
    }
  }
}

/** x · clip(x + 3, 0, 6) / 6 · scale + shift: `input` is x, `output` the name of the result. */
interface HardSwish {
  input: string;
  output: string;
  scale: number;
  shift: number;
  channels: number;
  nodes: OnnxNode[];
}

function hardSwishesIn(graph: OnnxGraph): HardSwish[] {
  return graph.nodes.flatMap((add): HardSwish[] => {
    const input = add.inputs.find((name) => !graph.constants.has(name));
    if (add.op !== "Add" || input === undefined || numberBeside(graph, add, input) !== 3) return [];
    const clip = onlyConsumer(graph, add.outputs[0]!);
    if (clip?.op !== "Clip" || !isClipToSix(graph, clip)) return [];
    const product = onlyConsumer(graph, clip.outputs[0]!);
    if (product?.op !== "Mul" || !product.inputs.includes(input)) return [];
    const sixth = onlyConsumer(graph, product.outputs[0]!);
    if (sixth?.op !== "Div" || numberBeside(graph, sixth, product.outputs[0]!) !== 6) return [];
    const before = graph.nodes.find(({ outputs }) => outputs[0] === input);
    if (before?.op !== "Conv") return [];
    const nodes = [add, clip, product, sixth];
    const factor = after(graph, sixth, "Mul");
    if (factor) nodes.push(factor.node);
    const summand = after(graph, factor?.node ?? sixth, "Add");
    if (summand) nodes.push(summand.node);
    return [
      {
        input,
        output: nodes.at(-1)!.outputs[0]!,
        scale: factor?.number ?? 1,
        shift: summand?.number ?? 0,
        channels: graph.constants.get(before.inputs[1]!)!.dims[0]!,
        nodes,
      },
    ];
  });
}

/**
 * ONNX Runtime computes x · hardSigmoid(x) together with the convolution before it. Scale and shift follow: before
 * convolutions without padding they move into their weights and biases. Padding would not be shifted, so before others
 * they are a convolution with one weight a channel.
 */
function replaceHardSwish(graph: OnnxGraph, { input, output, scale, shift, channels, nodes }: HardSwish): void {
  const at = graph.nodes.indexOf(nodes[0]!);
  for (const node of nodes) graph.nodes.splice(graph.nodes.indexOf(node), 1);
  const consumers = graph.nodes.filter(({ inputs }) => inputs.includes(output));
  const isMerged = !graph.outputs.includes(output) && consumers.every((node) => isPointwise(graph, node, output));
  const isLeft = !isMerged && (scale !== 1 || shift !== 0);
  const gate = newNode("HardSigmoid", [input], `${output}.gate`, { alpha: { float: 1 / 6 }, beta: { float: 0.5 } });
  const product = newNode("Mul", [input, `${output}.gate`], isLeft ? `${output}.product` : output);
  for (const conv of isMerged ? consumers : []) {
    shiftBias(graph, conv, (row) => shift * sum(row));
    scaleConstant(graph, conv.inputs[1]!, scale);
  }
  const scaled = isLeft ? [perChannel(graph, product.outputs[0]!, output, channels, scale, shift)] : [];
  graph.nodes.splice(at, 0, gate, product, ...scaled);
}

/** Creates a convolution that computes weight · x + bias on every channel. */
function perChannel(
  graph: OnnxGraph,
  input: string,
  output: string,
  channels: number,
  weight: number,
  bias: number,
): OnnxNode {
  graph.constants.set(`${output}.weight`, { dims: [channels, 1, 1, 1], data: new Float32Array(channels).fill(weight) });
  graph.constants.set(`${output}.bias`, { dims: [channels], data: new Float32Array(channels).fill(bias) });
  return newNode("Conv", [input, `${output}.weight`, `${output}.bias`], output, {
    group: channels,
    kernel_shape: [1, 1],
  });
}

function isClipToSix(graph: OnnxGraph, clip: OnnxNode): boolean {
  const bound = (input: string | undefined, attribute: string): number | null =>
    input === undefined ? floatOf(clip, attribute) : (graph.constants.get(input)?.data[0] ?? null);
  return bound(clip.inputs[1], "min") === 0 && bound(clip.inputs[2], "max") === 6;
}

function isPointwise(graph: OnnxGraph, node: OnnxNode, input: string): boolean {
  if (node.op !== "Conv" || node.inputs[0] !== input) return false;
  const [, , height, width] = graph.constants.get(node.inputs[1]!)?.dims ?? [];
  const hasPadding = (intsOf(node, "pads") ?? []).some((pad) => pad !== 0);
  return height === 1 && width === 1 && !hasPadding;
}

function scaleConstant(graph: OnnxGraph, name: string, factor: number): void {
  const { dims, data } = graph.constants.get(name)!;
  graph.constants.set(name, { dims, data: data.map((value) => value * factor) });
}

/** Adds `by(weights)` to the bias of each channel. */
function shiftBias(graph: OnnxGraph, conv: OnnxNode, by: (weights: Float32Array) => number): void {
  const { dims, data } = graph.constants.get(conv.inputs[1]!)!;
  const channels = dims[0]!;
  const size = data.length / channels;
  const name = (conv.inputs[2] ??= `${conv.outputs[0]}.bias`);
  const bias = graph.constants.get(name)?.data ?? new Float32Array(channels);
  const shifted = bias.map((value, channel) => value + by(data.subarray(channel * size, (channel + 1) * size)));
  graph.constants.set(name, { dims: [channels], data: shifted });
}

function after(graph: OnnxGraph, { outputs }: OnnxNode, op: "Mul" | "Add"): { node: OnnxNode; number: number } | null {
  const node = onlyConsumer(graph, outputs[0]!);
  const number = node?.op === op ? numberBeside(graph, node, outputs[0]!) : null;
  return node && number !== null ? { node, number } : null;
}

function onlyConsumer({ nodes, outputs }: OnnxGraph, name: string): OnnxNode | null {
  const consumers = nodes.filter(({ inputs }) => inputs.includes(name));
  return consumers.length === 1 && !outputs.includes(name) ? consumers[0]! : null;
}

/** Returns the number that an operation combines with an input; null if the other operand is not a single number. */
function numberBeside({ constants }: OnnxGraph, { inputs }: OnnxNode, input: string): number | null {
  const data = inputs.length === 2 ? constants.get(inputs.find((name) => name !== input) ?? "")?.data : undefined;
  return data?.length === 1 ? data[0]! : null;
}

function sum(values: Float32Array): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i]!;
  return total;
}
