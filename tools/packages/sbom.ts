// The bill of materials of a package, in CycloneDX: npm makes it from the package's own lockfile.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

type Bill = {
  serialNumber?: string;
  metadata: { timestamp?: string };
  components: readonly { readonly purl: string }[];
};

/**
 * Returns the bill of materials of the package in `folder`. It has no time, and a serial number that
 * follows from its content, so that the same package has the same bill.
 */
export function billOfMaterials(folder: string): string {
  const printed = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });
  const bill: Bill = JSON.parse(printed);
  delete bill.metadata.timestamp;
  bill.serialNumber = '';
  bill.serialNumber = `urn:uuid:${uuidOf(JSON.stringify(bill))}`;
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** A UUID of version 8 (RFC 9562): the first bits of the SHA-256 of a text. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}
