// Returns the bill of materials of a package in CycloneDX; npm generates it from the package's lockfile.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Package, textOfJson } from './package_files.ts';

type Bill = {
  serialNumber?: string;
  metadata: { timestamp?: string; component: { name: string } };
};

/**
 * Returns the bill of materials of a package. It has no time, and a serial number derived from its content,
 * so the same package has the same bill.
 */
export function billOfMaterials({ manifest, lockfile }: Package): string {
  const folder = mkdtempSync(join(tmpdir(), 'keywright-bill-'));
  try {
    writeFileSync(join(folder, 'package.json'), textOfJson(manifest));
    writeFileSync(join(folder, 'package-lock.json'), textOfJson(lockfile));
    const words = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=error'];
    const bill: Bill = JSON.parse(
      execFileSync('npm', words, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }).toString(),
    );
    delete bill.metadata.timestamp;
    // npm uses the name of the folder.
    bill.metadata.component.name = manifest.name;
    bill.serialNumber = '';
    bill.serialNumber = `urn:uuid:${uuidOf(JSON.stringify(bill))}`;
    return textOfJson(bill);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns a UUID of version 8 (RFC 9562): the first bits of the SHA-256 of a text. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
