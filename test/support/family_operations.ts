// The operations of the API family, from the types of its complete client.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Returns the last path segments in the types of `@turnkey/http`. */
export function operationsOfFamily(): readonly string[] {
  const client = dirname(createRequire(import.meta.url).resolve('@turnkey/http'));
  const types = join(client, '__generated__/services/coordinator/public/v1/public_api.types.d.ts');
  const text = readFileSync(types, 'utf8');
  const names = text.matchAll(/"\/public\/v1\/(?:query|submit)\/(\w+)"/g);
  return [...new Set([...names].flatMap(([, name]) => name ?? []))];
}
