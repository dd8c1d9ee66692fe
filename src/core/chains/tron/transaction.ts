import type { RawData } from './messages.ts';

/** An unsigned transaction of Tron. */
export type TronTransaction = {
  /** `raw_data` as received; the signature covers its SHA-256. */
  readonly bytes: Uint8Array;
  /** The decoded content, under the names of the protocol. */
  readonly raw: RawData;
};
