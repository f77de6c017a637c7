import {
  bytesField,
  bytesOf,
  bytesOfFloats,
  concatenated,
  encoded,
  fieldsOf,
  floatField,
  floatsOf,
  intField,
  joined,
  packedNumbers,
  textOf,
} from "./protobuf.ts";
import type { Encoded } from "./protobuf.ts";

// Reads and writes the nodes and weights of an ONNX model (onnx.proto3); everything else is kept byte for byte.

/** Field numbers: ModelProto, GraphProto, NodeProto, AttributeProto, TensorProto. */
const MODEL = { graph: 7 };
const GRAPH = { node: 1, output: 12 };
const NODE = { input: 1, output: 2, name: 3, op: 4, attribute: 5 };
const ATTRIBUTE = { name: 1, float: 2, tensor: 5, ints: 8, int: 3, type: 20 };
const ATTRIBUTE_TYPE = { float: 1, int: 2, tensor: 4, ints: 7 };
const TENSOR = { dims: 1, type: 2, raw: 9 };
const VALUE_INFO = { name: 1, type: 2 };
const FLOAT = 1;

/** Weights: `data` in row order. */
export interface Tensor {
  dims: readonly number[];
  data: Float32Array;
}

/** One operation. `attributes` are its encoded attributes, by name. */
export interface OnnxNode {
  op: string;
  inputs: string[];
  outputs: string[];
  attributes: ReadonlyMap<string, Uint8Array>;
}

/** The parts of a model: float constants by name, all other operations in their order. */
export interface OnnxGraph {
  constants: Map<string, Tensor>;
  nodes: OnnxNode[];
  outputs: readonly string[];
}

/** Parses a model. Throws RangeError if it has no graph. */
export function toGraph(model: Uint8Array): OnnxGraph {
  const fields = fieldsOf(model);
  const graph = fields.find(({ number }) => number === MODEL.graph)?.value;
  if (!(graph instanceof Uint8Array)) throw new RangeError("not an ONNX model");
  const constants = new Map<string, Tensor>();
  const nodes: OnnxNode[] = [];
  const outputs: string[] = [];
  for (const { number, value } of fieldsOf(graph)) {
    if (number === GRAPH.output) {
      outputs.push(textOf(fieldsOf(bytesOf(value)).find((field) => field.number === VALUE_INFO.name)!));
    }
    if (number !== GRAPH.node) continue;
    const node = toNode(bytesOf(value));
    const tensor = node.op === "Constant" ? tensorOf(node) : null;
    if (tensor) constants.set(node.outputs[0]!, tensor);
    else nodes.push(node);
  }
  return { constants, nodes, outputs };
}

/**
 * Returns the model with the nodes and constants of another graph. The declared shapes of the outputs are left out,
 * since they may have changed.
 */
export function withGraph(model: Uint8Array, { constants, nodes }: OnnxGraph): Uint8Array {
  const used = new Set(nodes.flatMap(({ inputs }) => inputs));
  const weights = [...constants]
    .filter(([name]) => used.has(name))
    .map(([name, tensor]) => bytesField(GRAPH.node, encodedConstant(name, tensor)));
  const operations = nodes.map((node) => bytesField(GRAPH.node, encodedNode(node)));
  const fields = fieldsOf(model).map((field) => {
    if (field.number !== MODEL.graph) return encoded(field.raw);
    return bytesField(MODEL.graph, joined([...weights, ...operations, ...otherFieldsOf(bytesOf(field.value))]));
  });
  return concatenated(joined(fields));
}

/** Returns the fields of a graph without its nodes and without the shapes of its outputs. */
function otherFieldsOf(graph: Uint8Array): Encoded[] {
  return fieldsOf(graph).flatMap((field) => {
    if (field.number === GRAPH.node) return [];
    if (field.number !== GRAPH.output) return [encoded(field.raw)];
    const names = fieldsOf(bytesOf(field.value)).filter(({ number }) => number !== VALUE_INFO.type);
    return [bytesField(GRAPH.output, joined(names.map(({ raw }) => encoded(raw))))];
  });
}

/** Creates an operation. Attributes: whole numbers, lists of them, or floats written as `{ float }`. */
export function newNode(
  op: string,
  inputs: string[],
  output: string,
  attributes: Readonly<Record<string, number | readonly number[] | { float: number }>> = {},
): OnnxNode {
  const pairs = Object.entries(attributes).map(([name, value]): [string, Uint8Array] => [
    name,
    concatenated(joined([bytesField(ATTRIBUTE.name, name), ...encodedValue(value)])),
  ]);
  return { op, inputs, outputs: [output], attributes: new Map(pairs) };
}

function encodedValue(value: number | readonly number[] | { float: number }): Encoded[] {
  if (typeof value === "number") return [intField(ATTRIBUTE.int, value), intField(ATTRIBUTE.type, ATTRIBUTE_TYPE.int)];
  if ("float" in value)
    return [floatField(ATTRIBUTE.float, value.float), intField(ATTRIBUTE.type, ATTRIBUTE_TYPE.float)];
  return [...value.map((int) => intField(ATTRIBUTE.ints, int)), intField(ATTRIBUTE.type, ATTRIBUTE_TYPE.ints)];
}

/** Reads an attribute with a whole number or a list of them; null if the operation has no such attribute. */
export function intsOf(node: OnnxNode, name: string): number[] | null {
  const attribute = node.attributes.get(name);
  if (!attribute) return null;
  return fieldsOf(attribute).flatMap(({ number, value }) => {
    if (number === ATTRIBUTE.int) return [Number(value)];
    if (number !== ATTRIBUTE.ints) return [];
    return typeof value === "number" ? [value] : packedNumbers(value);
  });
}

/** Reads a float attribute; null if the operation has no such attribute. */
export function floatOf(node: OnnxNode, name: string): number | null {
  const attribute = node.attributes.get(name);
  const field = attribute && fieldsOf(attribute).find(({ number }) => number === ATTRIBUTE.float);
  return field ? floatsOf(bytesOf(field.value))[0]! : null;
}

function toNode(message: Uint8Array): OnnxNode {
  const fields = fieldsOf(message);
  const texts = (number: number): string[] => fields.filter((field) => field.number === number).map(textOf);
  const attributes = fields
    .filter(({ number }) => number === NODE.attribute)
    .map(({ value }): [string, Uint8Array] => {
      const name = fieldsOf(bytesOf(value)).find(({ number }) => number === ATTRIBUTE.name);
      return [name ? textOf(name) : "", bytesOf(value)];
    });
  return {
    op: texts(NODE.op)[0] ?? "",
    inputs: texts(NODE.input),
    outputs: texts(NODE.output),
    attributes: new Map(attributes),
  };
}

function encodedNode({ op, inputs, outputs, attributes }: OnnxNode): Encoded {
  return joined([
    ...inputs.map((name) => bytesField(NODE.input, name)),
    ...outputs.map((name) => bytesField(NODE.output, name)),
    bytesField(NODE.name, `node of ${outputs[0]}`),
    bytesField(NODE.op, op),
    ...[...attributes.values()].map((attribute) => bytesField(NODE.attribute, attribute)),
  ]);
}

function tensorOf(node: OnnxNode): Tensor | null {
  const attribute = node.attributes.get("value");
  const tensor = attribute && fieldsOf(attribute).find(({ number }) => number === ATTRIBUTE.tensor);
  if (!tensor) return null;
  const fields = fieldsOf(bytesOf(tensor.value));
  const type = fields.find(({ number }) => number === TENSOR.type)?.value;
  const raw = fields.find(({ number }) => number === TENSOR.raw)?.value;
  if (type !== FLOAT || !(raw instanceof Uint8Array)) return null;
  const dims = fields.flatMap(({ number, value }) => {
    if (number !== TENSOR.dims) return [];
    return typeof value === "number" ? [value] : packedNumbers(value);
  });
  return { dims, data: floatsOf(raw) };
}

function encodedConstant(name: string, { dims, data }: Tensor): Encoded {
  const tensor = joined([
    ...dims.map((dim) => intField(TENSOR.dims, dim)),
    intField(TENSOR.type, FLOAT),
    bytesField(TENSOR.raw, bytesOfFloats(data)),
  ]);
  const attribute = joined([
    bytesField(ATTRIBUTE.name, "value"),
    bytesField(ATTRIBUTE.tensor, tensor),
    intField(ATTRIBUTE.type, ATTRIBUTE_TYPE.tensor),
  ]);
  return joined([
    bytesField(NODE.output, name),
    bytesField(NODE.name, `node of ${name}`),
    bytesField(NODE.op, "Constant"),
    bytesField(NODE.attribute, attribute),
  ]);
}
