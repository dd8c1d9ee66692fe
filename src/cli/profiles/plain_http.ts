import type { Output } from '../output/output.ts';
import { isLoopback } from './profiles.ts';

/** Warns if the service is on another machine and its address has no TLS. */
export function warnOfPlainHttp(url: string, output: Pick<Output, 'note'>): void {
  if (new URL(url).protocol !== 'http:' || isLoopback(url)) return;
  output.note(
    `warning: ${url} has no TLS: others on the way can read requests, withhold them, and alter answers. Use https://`,
  );
}
