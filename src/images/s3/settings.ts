/** Where images are in a bucket. */
export interface S3Settings {
  readonly bucket: string;
  /** Null: that of the region at AWS. Otherwise buckets are in the path, not in the host's name. */
  readonly endpoint: string | null;
  /** Where clients reach it. Null: the same. */
  readonly linkEndpoint: string | null;
  readonly region: string;
  /** In front of every key: empty, or with a slash at its end. */
  readonly prefix: string;
}
