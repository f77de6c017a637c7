// Reads and writes the part of onnx.proto3 that a model's nodes and weights are in; everything else is kept byte for byte.

/** Field numbers: ModelProto, GraphProto, NodeProto, AttributeProto, TensorProto, OperatorSetIdProto. */
const MODEL = { graph: 7, opset: 8 };
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

/** A model taken apart: float constants by name, all other operations in their order. */
export interface OnnxGraph {
  opset: number;
  constants: Map<string, Tensor>;
  nodes: OnnxNode[];
  outputs: readonly string[];
}

interface Field {
  number: number;
  value: number | Uint8Array;
  raw: Uint8Array;
}

/** Takes a model apart. Throws RangeError where it has no graph. */
export function toGraph(model: Uint8Array): OnnxGraph {
  const fields = fieldsOf(model);
  const graph = fields.find(({ number }) => number === MODEL.graph)?.value;
  if (!(graph instanceof Uint8Array)) throw new RangeError("not an ONNX model");
  const opsets = fields.filter(({ number }) => number === MODEL.opset).map(({ value }) => fieldsOf(bytes(value)));
  const opset = Number(opsets[0]?.find(({ number }) => number === 2)?.value ?? 1);
  const constants = new Map<string, Tensor>();
  const nodes: OnnxNode[] = [];
  const outputs: string[] = [];
  for (const { number, value } of fieldsOf(graph)) {
    if (number === GRAPH.output) outputs.push(text(fieldsOf(bytes(value)).find((f) => f.number === VALUE_INFO.name)!));
    if (number !== GRAPH.node) continue;
    const node = toNode(bytes(value));
    const tensor = node.op === "Constant" ? floatsIn(node) : null;
    if (tensor) constants.set(node.outputs[0]!, tensor);
    else nodes.push(node);
  }
  return { opset, constants, nodes, outputs };
}

/** The model with another graph's nodes and constants in place of its own. The outputs' declared shapes are left out: they may have changed. */
export function withGraph(model: Uint8Array, { constants, nodes }: OnnxGraph): Uint8Array {
  const isUsed = new Set(nodes.flatMap(({ inputs }) => inputs));
  const weights = [...constants].filter(([name]) => isUsed.has(name)).map(([name, tensor]) => constantNode(name, tensor)); // prettier-ignore
  const encoded = [...weights, ...nodes].map((node) => bytesField(GRAPH.node, encodedNode(node)));
  return joined(
    fieldsOf(model).map((field) => {
      if (field.number !== MODEL.graph) return field.raw;
      const rest = fieldsOf(bytes(field.value)).flatMap((inner) => {
        if (inner.number === GRAPH.node) return [];
        if (inner.number !== GRAPH.output) return [inner.raw];
        const names = fieldsOf(bytes(inner.value)).filter(({ number }) => number !== VALUE_INFO.type);
        return [bytesField(GRAPH.output, joined(names.map(({ raw }) => raw)))];
      });
      return bytesField(MODEL.graph, joined([...encoded, ...rest]));
    }),
  );
}

/** An operation of our own. Attributes: whole numbers, lists of them, or floats written as `{ float }`. */
export function newNode(
  op: string,
  inputs: string[],
  output: string,
  attributes: Readonly<Record<string, number | readonly number[] | { float: number }>> = {},
): OnnxNode {
  const encoded = Object.entries(attributes).map(([name, value]): [string, Uint8Array] => {
    const head = bytesField(ATTRIBUTE.name, Buffer.from(name));
    if (typeof value === "number")
      return [name, joined([head, intField(ATTRIBUTE.int, value), intField(ATTRIBUTE.type, ATTRIBUTE_TYPE.int)])];
    if ("float" in value) {
      const float = joined([
        Uint8Array.of(8 * ATTRIBUTE.float + 5),
        new Uint8Array(Float32Array.of(value.float).buffer),
      ]);
      return [name, joined([head, float, intField(ATTRIBUTE.type, ATTRIBUTE_TYPE.float)])];
    }
    const ints = value.map((int) => intField(ATTRIBUTE.ints, int));
    return [name, joined([head, ...ints, intField(ATTRIBUTE.type, ATTRIBUTE_TYPE.ints)])];
  });
  return { op, inputs, outputs: [output], attributes: new Map(encoded) };
}

/** A whole-number attribute, or a list of them; null where the operation has none of that name. */
export function intsOf(node: OnnxNode, name: string): number[] | null {
  const attribute = node.attributes.get(name);
  if (!attribute) return null;
  return fieldsOf(attribute).flatMap(({ number, value }) => {
    if (number === ATTRIBUTE.int) return [Number(value)];
    if (number !== ATTRIBUTE.ints) return [];
    return typeof value === "number" ? [value] : packed(value);
  });
}

/** A float attribute, null where there is none. */
export function floatOf(node: OnnxNode, name: string): number | null {
  const attribute = node.attributes.get(name);
  const field = attribute && fieldsOf(attribute).find(({ number }) => number === ATTRIBUTE.float);
  return field ? floats(bytes(field.value))[0]! : null;
}

function toNode(message: Uint8Array): OnnxNode {
  const fields = fieldsOf(message);
  const texts = (number: number): string[] => fields.filter((field) => field.number === number).map(text);
  const attributes = fields
    .filter(({ number }) => number === NODE.attribute)
    .map(({ value }): [string, Uint8Array] => {
      const name = fieldsOf(bytes(value)).find(({ number }) => number === ATTRIBUTE.name);
      return [name ? text(name) : "", bytes(value)];
    });
  return {
    op: texts(NODE.op)[0] ?? "",
    inputs: texts(NODE.input),
    outputs: texts(NODE.output),
    attributes: new Map(attributes),
  };
}

function encodedNode({ op, inputs, outputs, attributes }: OnnxNode): Uint8Array {
  return joined([
    ...inputs.map((name) => bytesField(NODE.input, Buffer.from(name))),
    ...outputs.map((name) => bytesField(NODE.output, Buffer.from(name))),
    bytesField(NODE.name, Buffer.from(`node of ${outputs[0]}`)),
    bytesField(NODE.op, Buffer.from(op)),
    ...[...attributes.values()].map((attribute) => bytesField(NODE.attribute, attribute)),
  ]);
}

function floatsIn(node: OnnxNode): Tensor | null {
  const attribute = node.attributes.get("value");
  const tensor = attribute && fieldsOf(attribute).find(({ number }) => number === ATTRIBUTE.tensor);
  if (!tensor) return null;
  const fields = fieldsOf(bytes(tensor.value));
  const type = fields.find(({ number }) => number === TENSOR.type)?.value;
  const raw = fields.find(({ number }) => number === TENSOR.raw)?.value;
  if (type !== FLOAT || !(raw instanceof Uint8Array)) return null;
  const dims = fields.flatMap(({ number, value }) =>
    number !== TENSOR.dims ? [] : typeof value === "number" ? [value] : packed(value),
  );
  return { dims, data: floats(raw) };
}

function constantNode(name: string, { dims, data }: Tensor): OnnxNode {
  const tensor = joined([
    ...dims.map((dim) => intField(TENSOR.dims, dim)),
    intField(TENSOR.type, FLOAT),
    bytesField(TENSOR.raw, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)),
  ]);
  const attribute = joined([
    bytesField(ATTRIBUTE.name, Buffer.from("value")),
    bytesField(ATTRIBUTE.tensor, tensor),
    intField(ATTRIBUTE.type, ATTRIBUTE_TYPE.tensor),
  ]);
  return { op: "Constant", inputs: [], outputs: [name], attributes: new Map([["value", attribute]]) };
}

function fieldsOf(message: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  while (at < message.length) {
    const start = at;
    const [key, afterKey] = varintAt(message, at);
    const wire = key & 7;
    let value: Field["value"];
    if (wire === 0) [value, at] = varintAt(message, afterKey);
    else {
      const [length, from] = wire === 2 ? varintAt(message, afterKey) : [wire === 5 ? 4 : 8, afterKey];
      value = message.subarray(from, from + length);
      at = from + length;
    }
    fields.push({ number: key >>> 3, value, raw: message.subarray(start, at) });
  }
  return fields;
}

/** The number that starts at a place, and where it ends. Exact up to 2^53; negative ones don't occur where this is used. */
function varintAt(message: Uint8Array, from: number): [value: number, end: number] {
  let value = 0;
  for (let at = from, scale = 1; ; scale *= 128) {
    const byte = message[at++]!;
    value += (byte & 127) * scale;
    if (byte < 128) return [value, at];
  }
}

function packed(value: Uint8Array): number[] {
  const numbers: number[] = [];
  for (let at = 0; at < value.length;) {
    const [number, end] = varintAt(value, at);
    numbers.push(number);
    at = end;
  }
  return numbers;
}

function bytes(value: number | Uint8Array): Uint8Array {
  if (typeof value === "number") throw new RangeError("a number where a message was expected");
  return value;
}

function text({ value }: Field): string {
  return Buffer.from(bytes(value)).toString();
}

/** A copy, since a message's floats need not lie on a multiple of four. */
function floats(raw: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(raw).buffer);
}

function varint(value: number): number[] {
  const encoded: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) encoded.push((rest % 128) + 128);
  return [...encoded, rest];
}

function intField(number: number, value: number): Uint8Array {
  return Uint8Array.from([...varint(8 * number), ...varint(value)]);
}

function bytesField(number: number, value: Uint8Array): Uint8Array {
  return joined([Uint8Array.from([...varint(8 * number + 2), ...varint(value.length)]), value]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}
