/** Clock and identifiers of one request: handed in, so that the same request decides the same. */
export type Context = {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Returns a new UUIDv7, greater than all before. */
  newId(): string;
};
