import { moveImages } from "../receipts/move-images.task.ts";
import type { Moved } from "../receipts/move-images.task.ts";
import { Refusal, UsageError, command, required } from "./command.ts";
import type { Command } from "./command.ts";
import { withImages } from "./opened-images.ts";
import { atTimes } from "./report-times.ts";

const MEGABYTE = 1_000_000;

export const IMAGES_MOVE: Command = command({
  name: "images move",
  summary: "move the images of receipts from the folder to the bucket, or back, while the service runs",
  details:
    "Restart the service with IMAGES_STORE before, so that new images are stored in the new place; it reads both. Each " +
    "image is copied, read back and compared before the original is removed. After an interruption run it again.",
  options: { to: required("PLACE", "folder or s3") },
  examples: ["images move --to s3"],
  run: async ({ database, config, options: { to }, print, report, stopped }) => {
    if (to !== "folder" && to !== "s3") throw new UsageError("--to must be folder or s3");
    if (config.images.s3 === null) throw new Refusal("there is no bucket: set IMAGES_S3_BUCKET");
    if (config.images.first !== to) {
      throw new Refusal(
        `new images are stored in the other place: set IMAGES_STORE=${to}, and restart the service with it first`,
      );
    }
    const reportLine = atTimes(report);
    const moved = await withImages({ database, config }, async ({ folder, bucket }) => {
      await bucket!.check();
      const [from, target] = to === "s3" ? [folder, bucket!] : [bucket!, folder];
      const deps = { database, from, to: target, temporary: folder };
      return moveImages(deps, stopped, (soFar) => reportLine(textOf(soFar)));
    });
    print({ to, ...moved, isFinished: !stopped.aborted }, [
      `${textOf(moved)}${stopped.aborted ? ". Stopped: run it again for the rest" : ""}`,
    ]);
    if (moved.failed > 0) throw new Refusal(`${moved.failed} images stay where they were: run it again`);
  },
});

function textOf({ images, bytes, left, failed }: Moved): string {
  return [
    `${images} images moved (${(bytes / MEGABYTE).toFixed(1)} MB)`,
    ...(left > 0 ? [`${left} have no receipt, and are removed by the daily sweep`] : []),
    ...(failed > 0 ? [`${failed} were not the same when they were read back`] : []),
  ].join(", ");
}
