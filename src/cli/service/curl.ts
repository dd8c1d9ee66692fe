// Formats a stamped request as a curl command.

import type { SentRequest } from '../../client/errors.ts';
import { quoted } from '../files/files.ts';

/** Returns the command on several lines. Its stamp is valid for an hour. */
export function curlOf({ url, headers, body }: SentRequest): string {
  const words = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return ['curl -sS -X POST', ...words, `--data-raw ${quoted(body)}`, `${quoted(url)}\n`].join(
    ' \\\n  ',
  );
}
