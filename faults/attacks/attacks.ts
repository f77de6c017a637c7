import { aborted } from "./attack.ts";
import type { Attack } from "./attack.ts";
import { BODY_ATTACKS } from "./with-bodies.ts";
import { CONNECTION_ATTACKS } from "./with-connections.ts";
import { LIST_ATTACKS } from "./with-lists.ts";
import { PICTURE_ATTACKS } from "./with-pictures.ts";

/** No attack: what the machine and the other application's own work cost. It runs first. */
export const CALM: Attack = {
  name: "calm",
  about: "no attack: the figures of the machine itself",
  prepare: async () => async (signal) => {
    await aborted(signal);
  },
};

/** All attacks, in the order of the list. */
export const ATTACKS: readonly Attack[] = [...PICTURE_ATTACKS, ...BODY_ATTACKS, ...CONNECTION_ATTACKS, ...LIST_ATTACKS];
