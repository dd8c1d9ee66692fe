// A stamped request as a command for curl.

import type { SentRequest } from '../../client/errors.ts';
import { quoted } from '../files/files.ts';

/** The command, on lines of its own; run within an hour it is the request that was stamped. */
export function curlOf({ url, headers, body }: SentRequest): string {
  const words = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return ['curl -sS -X POST', ...words, `--data-raw ${quoted(body)}`, `${quoted(url)}\n`].join(
    ' \\\n  ',
  );
}
