// Reads pictures of receipts with tesseract.js, in a process of its own, offline: the trained data are packages.
import { copyFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { createWorker, OEM, PSM } from "tesseract.js";
import type { Worker } from "tesseract.js";
import { serveParent } from "../../program.ts";
import { parseText } from "./parse-text.ts";

const LANGUAGES = ["eng", "deu"];
const require = createRequire(import.meta.url);
let worker: Worker | undefined;

/** Takes the trained data from their packages: those that tesseract.js downloads by default for its LSTM engine. */
async function start(langPath: string): Promise<Worker> {
  for (const code of LANGUAGES) {
    const file = `${code}.traineddata.gz`;
    const packageFolder = dirname(require.resolve(`@tesseract.js-data/${code}/package.json`));
    await copyFile(join(packageFolder, "4.0.0_best_int", file), join(langPath, file));
  }
  const started = await createWorker(LANGUAGES, OEM.LSTM_ONLY, { langPath, cacheMethod: "none" });
  await started.setParameters({ tessedit_pageseg_mode: PSM.SINGLE_BLOCK });
  return started;
}

serveParent(async ({ path, folder }: { path: string; folder: string }) => {
  worker ??= await start(folder);
  const picture = await sharp(path).rotate().greyscale().normalise().png({ compressionLevel: 1 }).toBuffer();
  const { data } = await worker.recognize(picture);
  return parseText(data.text);
});
