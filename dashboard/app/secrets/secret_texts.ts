// Parses properties, target keys and names, for imports and exports of secrets.

import { bytesOfHex } from '../../../src/client/bytes.ts';
import type { Secret } from '../service/reads.ts';

export const encryptionSuite = 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1';

/** Parses lines like `env=production`. Returns undefined if a line has another form. */
export function propertiesIn(
  text: string,
): readonly { readonly key: string; readonly value: string }[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const found = lines.map((line) => {
    const at = line.indexOf('=');
    return { key: line.slice(0, at).trim(), value: line.slice(at + 1).trim(), isOne: at > 0 };
  });
  if (found.some(({ isOne }) => !isOne)) return undefined;
  return found.map(({ key, value }) => ({ key, value }));
}

/** Returns the target key of a bundle. The caller has verified the bundle when it sealed the text. */
export function targetKeyOf(bundle: string): string {
  const { data } = JSON.parse(bundle);
  return String(JSON.parse(new TextDecoder().decode(bytesOfHex(data))).targetPublic);
}

export const secretName = ({ name, secretId }: Secret): string => name ?? secretId;
