/** Clock and IDs of one request. The caller passes them, so the same request decides the same. */
export type Context = {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Returns a new UUIDv7, greater than all before. */
  newId(): string;
};
