import type { RawData } from './messages.ts';

/** An unsigned transaction of Tron. */
export type TronTransaction = {
  /** The `raw_data` as it came; its SHA-256 is signed. */
  readonly bytes: Uint8Array;
  /** The content of the bytes, under the names of the protocol. */
  readonly raw: RawData;
};
