import { constantOf, normalizing } from "./detector-head.ts";
import { newNode } from "./onnx.ts";
import type { OnnxGraph, OnnxNode, Tensor } from "./onnx.ts";

// The detector's neck (a feature pyramid, Lin et al., 2017, arXiv:1612.03144) doubles coarse pictures in size and adds
// them to finer ones, with 96 channels; its end concatenates all of them. Two convolutions of 3 × 3 on the finest ones
// are a fifth of the detector's time. A convolution is linear, so each is a sum of two: that of a picture before it is
// doubled, on a quarter of the pixels, and that of the fine one, which has 12 channels before it is widened to 96. A
// picture of 608 × 1,024 pixels takes 126 instead of 155 ms; probabilities differ by less than 0.000003.

const SAME = { kernel_shape: [3, 3], pads: [1, 1, 1, 1] };

/** Replaces both convolutions by equivalent sums. Throws RangeError for a model with another neck. */
export function foldNeck(graph: OnnxGraph): void {
  const concat = graph.nodes.findLast(({ op }) => op === "Concat");
  const gated = producerOf(graph, concat?.inputs.at(-1), "Mul");
  foldSmoothing(graph, producerOf(graph, gated.inputs[0], "Conv"));
  foldMerging(graph, concat!);
}

/**
 * smoothing(gate · widened(x) + doubled(y)), where `gate` has a number for each channel, as (smoothing · gate ·
 * widened)(x) + (smoothing · doubled)(y). The first product is computed for each picture: it is small.
 */
function foldSmoothing(graph: OnnxGraph, smoothing: OnnxNode): void {
  const sum = producerOf(graph, smoothing.inputs[0], "Add");
  const gated = producerOf(graph, sum.inputs[0], "Mul");
  const doubled = producerOf(graph, sum.inputs[1], "Resize");
  const widened = producerOf(graph, gated.inputs[0], "Conv");
  const pool = consumerOf(graph, widened.outputs[0], "GlobalAveragePool");
  const [narrow, name] = [widened.inputs[0]!, smoothing.outputs[0]!];
  const [kernels, widening] = [constantOf(graph, smoothing, 1), constantOf(graph, widened, 1)];

  graph.constants.set(`${name}.kernels`, withKernelsFirst(kernels));
  graph.constants.set(`${name}.widening`, { dims: widening.dims.slice(0, 2), data: widening.data });
  // The gate follows from means: the mean of a convolution of 1 × 1 is the convolution of the mean.
  const mean = newNode("GlobalAveragePool", [narrow], `${name}.mean`);
  replace(graph, pool, [mean, newNode("Conv", [`${name}.mean`, widened.inputs[1]!], pool.outputs[0]!)]);
  for (const node of [widened, gated, doubled, sum]) replace(graph, node, []);
  replace(graph, smoothing, [
    newNode("Squeeze", [gated.inputs[1]!], `${name}.gate`, { axes: [0, 3] }),
    newNode("Mul", [`${name}.gate`, `${name}.widening`], `${name}.gated`),
    newNode("MatMul", [`${name}.kernels`, `${name}.gated`], `${name}.product`),
    newNode("Transpose", [`${name}.product`], `${name}.weights`, { perm: [2, 3, 0, 1] }),
    newNode("Conv", [narrow, `${name}.weights`], `${name}.fine`, SAME),
    ...doubling(graph, doubled.inputs[0]!, kernels, `${name}.coarse`),
    newNode("Add", [`${name}.fine`, `${name}.coarse`], name),
  ]);
}

/** The convolution and normalisation of all pictures, concatenated: the finest is not doubled, all others are. */
function foldMerging(graph: OnnxGraph, concat: OnnxNode): void {
  const merging = consumerOf(graph, concat.outputs[0], "Conv");
  const normalization = consumerOf(graph, merging.outputs[0], "BatchNormalization");
  const [scale, shift] = normalizing(graph, normalization);
  const weights = constantOf(graph, merging, 1);
  const size = weights.data.length / scale.length;
  const scaled = { dims: weights.dims, data: weights.data.map((value, i) => value * scale[Math.floor(i / size)]!) };
  const inputs = weights.dims[1]!;
  const coarse = (inputs / concat.inputs.length) * (concat.inputs.length - 1);
  const name = normalization.outputs[0]!;

  graph.constants.set(`${name}.kernels`, channelsOf(scaled, coarse, inputs));
  graph.constants.set(`${name}.shift`, { dims: [shift.length], data: shift });
  const finest = concat.inputs.at(-1)!;
  concat.inputs = concat.inputs.slice(0, -1).map((input) => halved(graph, producerOf(graph, input, "Resize")));
  replace(graph, normalization, []);
  replace(graph, merging, [
    newNode("Conv", [finest, `${name}.kernels`, `${name}.shift`], `${name}.fine`, SAME),
    ...doubling(graph, concat.outputs[0]!, channelsOf(scaled, 0, coarse), `${name}.coarse`),
    newNode("Add", [`${name}.fine`, `${name}.coarse`], name),
  ]);
}

/** Lets an enlargement stop at half of its size; returns the name of its result. */
function halved(graph: OnnxGraph, resize: OnnxNode): string {
  const { dims, data } = constantOf(graph, resize, 2);
  const scales = data.map((scale, axis) => (axis < 2 ? scale : scale / 2));
  if (scales.every((scale) => scale === 1)) {
    replace(graph, resize, []);
    return resize.inputs[0]!;
  }
  graph.constants.set(`${resize.outputs[0]!}.scales`, { dims, data: scales });
  resize.inputs[2] = `${resize.outputs[0]!}.scales`;
  return resize.outputs[0]!;
}

/** Rows (and columns) of a kernel of 3 that fall on the first and the second of two pixels, for both halves of one. */
const TAPS = [
  [[0], [1, 2]],
  [[0, 1], [2]],
] as const;

/**
 * A convolution of 3 × 3 of a picture that is doubled first: for each quarter of a pixel one of 2 × 2 before doubling.
 */
function doubling(graph: OnnxGraph, input: string, { dims, data }: Tensor, output: string): OnnxNode[] {
  const pairs = dims[0]! * dims[1]!;
  const quarters = [0, 1, 2, 3].map((quarter) => {
    const [below, right] = [quarter >> 1, quarter & 1] as const;
    const weights = new Float32Array(4 * pairs);
    for (let i = 0; i < weights.length; i++)
      for (const row of TAPS[below]![(i >> 1) & 1]!)
        for (const column of TAPS[right]![i & 1]!) weights[i]! += data[9 * (i >> 2) + 3 * row + column]!;
    const name = `${output}.${quarter}`;
    graph.constants.set(`${name}.weights`, { dims: [dims[0]!, dims[1]!, 2, 2], data: weights });
    return newNode("Conv", [input, `${name}.weights`], name, {
      kernel_shape: [2, 2],
      pads: [1 - below, 1 - right, below, right],
    });
  });
  const names = quarters.map(({ outputs }) => outputs[0]!);
  return [
    ...quarters,
    newNode("Concat", names, `${output}.quarters`, { axis: 1 }),
    newNode("DepthToSpace", [`${output}.quarters`], output, { blocksize: 2 }),
  ];
}

/** Weights of 3 × 3 with the two axes of the kernel first. */
function withKernelsFirst({ dims, data }: Tensor): Tensor {
  const pairs = dims[0]! * dims[1]!;
  return { dims: [3, 3, dims[0]!, dims[1]!], data: data.map((_, i) => data[(i % pairs) * 9 + Math.floor(i / pairs)]!) };
}

/** The weights of some of the input channels. */
function channelsOf({ dims, data }: Tensor, from: number, to: number): Tensor {
  const size = 9 * dims[1]!;
  const kept = data.filter((_, i) => i % size >= 9 * from && i % size < 9 * to);
  return { dims: [dims[0]!, to - from, 3, 3], data: kept };
}

function replace({ nodes }: OnnxGraph, node: OnnxNode, by: readonly OnnxNode[]): void {
  nodes.splice(nodes.indexOf(node), 1, ...by);
}

function producerOf({ nodes }: OnnxGraph, name: string | undefined, op: string): OnnxNode {
  const node = nodes.find(({ outputs }) => outputs[0] === name);
  if (name === undefined || node?.op !== op) throw new RangeError(`the detector's neck has no ${op} where expected`);
  return node;
}

function consumerOf({ nodes }: OnnxGraph, name: string | undefined, op: string): OnnxNode {
  const node = nodes.find((each) => each.op === op && each.inputs[0] === name);
  if (name === undefined || !node) throw new RangeError(`the detector's neck has no ${op} where expected`);
  return node;
}
