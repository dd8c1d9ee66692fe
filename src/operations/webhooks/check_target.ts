import { failField } from '../../core/errors/errors.ts';
import type { ExternalServices } from '../../core/external/external_services.ts';

/** Rejects a URL to which the service would not connect. Looks up its name. */
export async function checkTarget(url: string, external: ExternalServices): Promise<void> {
  const reason = await external.refusedTarget(url);
  if (reason !== undefined) failField('parameters.url', `refused: ${reason}`);
}
