/** The store of images is away, or takes too long: nothing was changed for sure, and a later attempt may succeed. */
export class StorageUnavailable extends Error {
  override readonly name = "StorageUnavailable";
}

/** The store of images cannot be used as it is set up. The message is for the operator, and names the setting. */
export class StorageMisconfigured extends Error {
  override readonly name = "StorageMisconfigured";
}
