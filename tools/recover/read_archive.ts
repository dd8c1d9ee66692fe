// Reads an archive line by line, and derives all its keys and addresses again.

import { createHash, pbkdf2Sync } from 'node:crypto';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { addressOf } from './addresses.ts';
import { type CurveName, curveNamed, derive, publicKeyOf } from './derive.ts';
import { keyForms } from './key_formats.ts';
import type { Line } from './line.ts';
import { type HolderSecrets, organizationKeyOf, sealedSecretOf, whySealed } from './sealed.ts';

export type Outcome = {
  /** Number of lines of each kind. */
  readonly lines: ReadonlyMap<string, number>;
  /** Number of derived keys and addresses that match the archive. */
  readonly keys: number;
  readonly addresses: number;
  /** Descriptions of the keys and addresses that differ. */
  readonly differences: readonly string[];
};

/** Receives the contents of the archive. */
export type Receiver = {
  /** Receives each raw line without its line feed. */
  readonly line: (text: string) => void;
  /** Receives a wallet, an account or a private key, with its secret formats. */
  readonly key: (key: Line) => void;
};

const seedBytes = 64;
const lineFeed = 0x0a;
/** Maximum length of a line: an activity of the largest request. */
const maximumLineBytes = 64 * 1024 * 1024;

/** Reads a whole archive. Raises an error unless it is a complete archive of this version. */
export async function readArchive(
  parts: AsyncIterable<Uint8Array>,
  receiver: Receiver,
  secrets: HolderSecrets = {},
): Promise<Outcome> {
  const digest = createHash('sha256');
  const counts = new Map<string, number>();
  const checks = createChecks(receiver, secrets);
  let total = 0;
  let isEnded = false;
  for await (const bytes of linesOf(parts)) {
    if (isEnded) throw new Error('the archive has lines after its end');
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const line = JSON.parse(text) as Line;
    if (line.kind === 'end') {
      requireEnd(line, total, digest.digest('hex'));
      isEnded = true;
    } else {
      if (total === 0) requireHeader(line);
      digest.update(bytes).update('\n');
      total += 1;
      counts.set(line.kind, (counts.get(line.kind) ?? 0) + 1);
      const added = checks.add(line);
      if (added !== undefined) await added;
    }
    receiver.line(text);
  }
  if (!isEnded) throw new Error('the archive is truncated: it has no end line');
  return { lines: counts, ...checks.outcome() };
}

function requireHeader({ kind, format, version }: Line): void {
  if (kind !== 'header' || format !== 'keywright-export') throw new Error('this is no archive');
  if (version !== 1) {
    throw new Error(`the archive has version ${version}, and this tool reads version 1`);
  }
}

function requireEnd({ lines, sha256 }: Line, total: number, digest: string): void {
  if (lines !== total) throw new Error(`the archive has ${total} lines, its end says ${lines}`);
  if (sha256 !== digest) throw new Error('the digest at the end is not that of the lines');
}

async function* linesOf(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array[] = [];
  let held = 0;
  for await (const part of parts) {
    let from = 0;
    for (let at = part.indexOf(lineFeed); at !== -1; at = part.indexOf(lineFeed, from)) {
      yield Buffer.concat([...rest, part.subarray(from, at)]);
      rest = [];
      held = 0;
      from = at + 1;
    }
    if (from < part.length) rest.push(part.slice(from));
    held += part.length - from;
    if (held > maximumLineBytes) throw new Error('a line of the archive is too long');
  }
  if (held > 0) throw new Error('the last line of the archive has no end');
}

function createChecks({ key: receive }: Receiver, secrets: HolderSecrets) {
  /** Seeds of the wallets of the current organization. */
  const seeds = new Map<string, Uint8Array>();
  const sealedWallets = new Set<string>();
  const differences: string[] = [];
  const found = { keys: 0, addresses: 0 };
  /** The current organization's own key, if a holder's secret opens it. */
  let organizationKey: Uint8Array | undefined;
  let organization: Line | undefined;

  /** Returns the secret of a sealed line. Without the organization key, adds a difference. */
  function opened(line: Line): Uint8Array | undefined {
    if (organizationKey !== undefined) return sealedSecretOf(line, organizationKey);
    const reason = organization === undefined ? 'sealed' : whySealed(organization, secrets);
    differences.push(`${line.kind.replace('_', ' ')} ${line['id']}: ${reason}`);
    return undefined;
  }

  function compare(subject: string, what: string, listed: unknown, derived: string): boolean {
    if (listed === derived) return true;
    differences.push(
      `${subject}: the archive lists the ${what} ${listed}, the key gives ${derived}`,
    );
    return false;
  }

  function check(
    subject: string,
    { curve, privateKey }: { readonly curve: CurveName; readonly privateKey: Uint8Array },
    listed: { readonly publicKey: unknown; readonly addresses: readonly Address[] },
  ): void {
    const publicKey = publicKeyOf(curve, privateKey);
    if (compare(subject, 'public key', listed.publicKey, bytesToHex(publicKey))) found.keys += 1;
    checkAddresses(subject, { curve, publicKey }, listed);
  }

  function checkAddresses(
    subject: string,
    { curve, publicKey }: { readonly curve: CurveName; readonly publicKey: Uint8Array },
    listed: { readonly addresses: readonly Address[] },
  ): void {
    for (const { format, address } of listed.addresses) {
      const derived = addressOf(format, curve, publicKey);
      if (compare(subject, `address (${format})`, address, derived)) found.addresses += 1;
    }
  }

  const checks: Readonly<Record<string, (line: Line) => Promise<void> | void>> = {
    organization: async (line) => {
      seeds.clear();
      sealedWallets.clear();
      organization = line;
      const hasKey = line['organizationKey'] !== undefined;
      organizationKey = hasKey ? await organizationKeyOf(line, secrets) : undefined;
    },
    wallet: (line) => {
      if (line['sealedSecret'] !== undefined) {
        const secret = opened(line);
        if (secret === undefined) {
          sealedWallets.add(String(line['id']));
          return;
        }
        const seed = secret.subarray(0, seedBytes);
        const rest = secret.subarray(seedBytes);
        seeds.set(String(line['id']), seed);
        const isImported = line['language'] !== undefined;
        const source = isImported
          ? { sentence: new TextDecoder().decode(rest) }
          : { entropy: bytesToHex(rest) };
        receive({ ...line, seed: bytesToHex(seed), ...source });
        return;
      }
      const { id, mnemonic, passphrase = '', seed } = line;
      const derived = seedOf(String(mnemonic), String(passphrase));
      if (compare(`wallet ${id}`, 'seed', seed, bytesToHex(derived))) found.keys += 1;
      // The service derives keys from the seed.
      seeds.set(String(id), hexToBytes(String(seed)));
      receive(line);
    },
    wallet_account: (line) => {
      const { id, walletId, path, publicKey, addressFormat, address } = line;
      if (sealedWallets.has(String(walletId))) return;
      const seed = seeds.get(String(walletId));
      if (seed === undefined) {
        differences.push(`account ${id}: the archive lacks its wallet ${walletId}`);
        return;
      }
      const curve = curveNamed(line['curve']);
      const privateKey = derive(curve, seed, String(path));
      const addresses = [{ format: String(addressFormat), address: String(address) }];
      check(`account ${id}`, { curve, privateKey }, { publicKey, addresses });
      receive({ ...line, privateKey: keyForms(privateKey, curve, formatsOf(addresses)) });
    },
    private_key: (line) => {
      const curve = curveNamed(line['curve']);
      const subject = `private key ${line['id']}`;
      const addresses = line['addresses'] as readonly Address[];
      if (line['heldBy'] !== undefined) {
        // A module outside of the service has the key, so the archive has its addresses only.
        checkAddresses(
          subject,
          { curve, publicKey: hexToBytes(String(line['publicKey'])) },
          { addresses },
        );
        receive(line);
        return;
      }
      const isSealed = line['sealedSecret'] !== undefined;
      const privateKey = isSealed ? opened(line) : hexToBytes(String(line['privateKey']));
      if (privateKey === undefined) return;
      check(subject, { curve, privateKey }, { publicKey: line['publicKey'], addresses });
      receive({ ...line, privateKey: keyForms(privateKey, curve, formatsOf(addresses)) });
    },
  };
  return {
    add: (line: Line): Promise<void> | void =>
      Object.hasOwn(checks, line.kind) ? checks[line.kind]?.(line) : undefined,
    outcome: () => ({ ...found, differences }),
  };
}

type Address = { readonly format: string; readonly address: string };

const formatsOf = (addresses: readonly Address[]): readonly string[] =>
  addresses.map(({ format }) => format);

/** BIP-39. */
function seedOf(mnemonic: string, passphrase: string): Uint8Array {
  const [words, salt] = [mnemonic, `mnemonic${passphrase}`].map((text) => text.normalize('NFKD'));
  return pbkdf2Sync(words ?? '', salt ?? '', 2048, 64, 'sha512');
}
