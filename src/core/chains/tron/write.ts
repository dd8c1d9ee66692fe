import { writeMessage } from './fields.ts';
import { type RawData, rawData } from './messages.ts';

/** Returns the bytes of `raw_data`. */
export function writeTron(raw: RawData): Uint8Array {
  return writeMessage(rawData, raw);
}
