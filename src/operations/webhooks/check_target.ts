import { failField } from '../../core/errors.ts';
import type { Outside } from '../../core/outside.ts';

/** Refuses a URL to which the service would not connect. */
export async function checkTarget(url: string, outside: Outside): Promise<void> {
  const reason = await outside.refusedTarget(url);
  if (reason !== undefined) failField('parameters.url', `refused: ${reason}`);
}
