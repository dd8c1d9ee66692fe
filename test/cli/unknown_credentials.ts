// Unknown credentials, for commands that end before a service answers.

import { createECDH } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes them into a folder, and returns the flags of commands for them. */
export function unknownCredentials(folder: string): readonly string[] {
  const key = createECDH('prime256v1');
  const path = join(folder, 'credentials.json');
  const credentials = {
    organizationId: '01a205a9-eb12-73fb-b379-dbca047dae53',
    apiPublicKey: key.generateKeys('hex', 'compressed'),
    apiPrivateKey: key.getPrivateKey('hex').padStart(64, '0'),
  };
  writeFileSync(path, JSON.stringify(credentials), { mode: 0o600 });
  return ['--url', 'http://127.0.0.1:9', '--credentials', path];
}
