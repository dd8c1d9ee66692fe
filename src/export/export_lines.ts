// The lines of an export: a header, the records of each organization, and an end with the digest of all lines
// before it. docs/recovery.md describes them.

import { createHash, type Hash } from 'node:crypto';
import { copyOfSecret, hex, wipe } from '../core/base/bytes.ts';
import { splitKeptSentence } from '../core/derivation/imported_sentence.ts';
import { mnemonicOfEntropy } from '../core/derivation/mnemonic.ts';
import type { PrivateKey, SmallKind, SmallRecords, Wallet } from '../core/organization/model.ts';
import type { OrganizationState } from '../core/organization/state.ts';
import type { WrappedSecrets } from '../enclave/keys/wrapped_secrets.ts';
import type { Reader } from '../operations/reader.ts';
import { UnusableDataError } from '../store/unusable_data_error.ts';
import { exportedMembers, exportedSmallKinds } from './exported_kinds.ts';
import { hexOf, lineOf } from './lines.ts';

/** Version of the layout. Readers reject all other versions. */
const exportFormat = { format: 'keywright-export', version: 1 } as const;

/** Access to the verified data of the service. */
export type ExportPorts = {
  /** The newest state; undefined if the organization does not exist. */
  readonly organization: (id: string) => Promise<OrganizationState | undefined>;
  readonly reader: (state: OrganizationState) => Reader;
  /** Returns sorted ids of sub-organizations after an id. Returns an empty list at the end. */
  readonly children: (parentId: string, after: string | undefined) => Promise<readonly string[]>;
  readonly secrets: (organizationId: string) => WrappedSecrets;
};

export type ExportSelection = {
  readonly organizationId: string;
  readonly includesSubOrganizations: boolean;
  readonly includesActivities: boolean;
};

/** Facts in the header of the export. */
export type ExportFacts = { readonly madeAtMs: number; readonly service: string };

const seedBytes = 64;
/** Number of rows in memory at one time. */
const pageRows = 200;

/** Lines of each kind so far. */
export type LineCounts = Record<string, number>;

/**
 * Yields the lines of an export; the reader wipes each line after use. Counts them in `counts`. Raises
 * UnusableDataError if an organization is unknown or changed during the export.
 */
export async function* exportLines(
  selection: ExportSelection,
  facts: ExportFacts,
  ports: ExportPorts,
  counts: LineCounts,
): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256');
  const { organizationId } = selection;
  const counted = (line: Uint8Array, kind: string) => count(line, kind, { digest, counts });
  yield counted(lineOf('header', { ...exportFormat, organizationId, ...facts }), 'header');
  for await (const { kind, line } of linesOfAll(selection, ports)) yield counted(line, kind);
  const lines = Object.values(counts).reduce((sum, each) => sum + each, 0);
  yield lineOf('end', { lines, sha256: digest.digest('hex') });
}

function count(
  line: Uint8Array,
  kind: string,
  { digest, counts }: { readonly digest: Hash; readonly counts: LineCounts },
): Uint8Array {
  digest.update(line);
  counts[kind] = (counts[kind] ?? 0) + 1;
  return line;
}

type KindOfLine = { readonly kind: string; readonly line: Uint8Array };

async function* linesOfAll(
  { organizationId, ...selection }: ExportSelection,
  ports: ExportPorts,
): AsyncGenerator<KindOfLine> {
  const state = await ports.organization(organizationId);
  if (state === undefined) {
    throw new UnusableDataError(`the database has no organization ${organizationId}`);
  }
  yield* linesOfOrganization(state, selection, ports);
  if (!selection.includesSubOrganizations) return;
  let after: string | undefined;
  for (;;) {
    const ids = await ports.children(organizationId, after);
    for (const id of ids) {
      const child = await ports.organization(id);
      if (child?.parentId !== organizationId) {
        throw new UnusableDataError(`${id} is not a sub-organization of ${organizationId}`);
      }
      yield* linesOfOrganization(child, selection, ports);
    }
    after = ids.at(-1);
    if (after === undefined) return;
  }
}

async function* linesOfOrganization(
  state: OrganizationState,
  { includesActivities }: Omit<ExportSelection, 'organizationId'>,
  ports: ExportPorts,
): AsyncGenerator<KindOfLine> {
  const { id, parentId, version, head } = state;
  const organizationId = id;
  const reader = ports.reader(state);
  yield { kind: 'organization', line: lineOf('organization', { id, parentId, version, ...head }) };
  for (const kind of exportedSmallKinds) {
    for (const row of state.records[kind].values()) {
      const members = exportedMembers(kind, row);
      if (members === undefined) break;
      const described = { organizationId, ...members };
      yield { kind, line: await lineWithSecrets(kind, row, described, { state, reader, ports }) };
    }
  }
  for (const walletId of state.records.wallet.keys()) {
    yield* accountLines({ organizationId, walletId }, reader);
  }
  if (includesActivities) yield* activityLines(organizationId, reader);
  // With PostgreSQL another process may have committed during the export.
  if ((await ports.organization(id))?.version === version) return;
  throw new UnusableDataError(
    `organization ${id} changed while it was exported: stop the service and export again`,
  );
}

/** Returns the line of a row of small state, with its separately stored and its unwrapped secrets. */
async function lineWithSecrets(
  kind: string,
  row: SmallRecords[SmallKind],
  members: object,
  {
    state,
    reader,
    ports,
  }: {
    readonly state: OrganizationState;
    readonly reader: Reader;
    readonly ports: ExportPorts;
  },
): Promise<Uint8Array> {
  const secrets = ports.secrets(state.id);
  if (state.head.organizationKey !== undefined && (kind === 'wallet' || kind === 'private_key')) {
    if ('heldBy' in row) return lineOf(kind, members);
    // The root key opens only the outer sealing; the secret of a holder opens `sealedSecret`.
    return secrets.unwrapped(kind, row as Wallet | PrivateKey, (sealed) =>
      lineOf(kind, { ...members, sealedSecret: hex(sealed) }),
    );
  }
  if (kind === 'wallet') return walletLine(row as Wallet, members, secrets);
  if (kind === 'private_key' && !('heldBy' in row)) {
    return secrets.unwrapped('private_key', row as PrivateKey, (key) =>
      withWiped({ privateKey: hexOf(key) }, (texts) => lineOf(kind, members, texts)),
    );
  }
  if (kind === 'secret') {
    const text = (await reader.secretTexts([row.id])).get(row.id);
    if (text === undefined) throw new UnusableDataError(`the text of secret ${row.id} is missing`);
    return secrets.unwrapped('text', text, (bytes) => lineOf(kind, members, { text: bytes }));
  }
  const contract = state.records.contract_interface.get(row.id);
  if (kind === 'contract_interface' && contract !== undefined) {
    const text = (await reader.contractInterfaceTexts([contract])).get(row.id);
    return lineOf(kind, { ...members, text });
  }
  return lineOf(kind, members);
}

/** Returns the line of a wallet with its seed, its mnemonic, and the passphrase of an imported mnemonic. */
function walletLine(wallet: Wallet, members: object, secrets: WrappedSecrets): Uint8Array {
  return secrets.unwrapped('wallet', wallet, (secret) => {
    const rest = secret.subarray(seedBytes);
    const kept = wallet.language === undefined ? mnemonicOfEntropy(rest) : copyOfSecret(rest);
    const { words, passphrase } = splitKeptSentence(kept);
    const texts = { seed: hexOf(secret.subarray(0, seedBytes)), mnemonic: words };
    const all = passphrase === undefined ? texts : { ...texts, passphrase };
    try {
      return withWiped(all, (each) => lineOf('wallet', members, each));
    } finally {
      wipe(kept);
    }
  });
}

function withWiped<Texts extends Readonly<Record<string, Uint8Array>>>(
  texts: Texts,
  run: (texts: Texts) => Uint8Array,
): Uint8Array {
  try {
    return run(texts);
  } finally {
    wipe(...Object.values(texts));
  }
}

async function* accountLines(
  { organizationId, walletId }: { readonly organizationId: string; readonly walletId: string },
  reader: Reader,
): AsyncGenerator<KindOfLine> {
  const kind = 'wallet_account';
  let after: string | undefined;
  for (;;) {
    const page = { limit: pageRows, before: undefined, after };
    const accounts = await reader.walletAccountPage(walletId, page);
    for (const account of accounts) {
      yield { kind, line: lineOf(kind, { organizationId, ...account }) };
    }
    after = accounts.at(-1)?.id;
    if (after === undefined) return;
  }
}

/** Yields activities, newest first. A segment of the archive represents its archived activities. */
async function* activityLines(organizationId: string, reader: Reader): AsyncGenerator<KindOfLine> {
  const everything = { statuses: [], types: [] };
  let after: string | undefined;
  for (;;) {
    const page = { limit: pageRows, before: undefined, after };
    const { activities } = await reader.activityPage(everything, page);
    for (const activity of activities)
      yield { kind: 'activity', line: lineOf('activity', activity) };
    after = activities.at(-1)?.id;
    if (after === undefined) break;
  }
  const kind = 'archived_activities';
  const segments = await reader.newestArchiveSegments(maximumSegments + 1);
  if (segments.length > maximumSegments) {
    throw new UnusableDataError(
      `organization ${organizationId} has more than ${maximumSegments} archive segments`,
    );
  }
  for (const segment of segments) {
    yield { kind, line: lineOf(kind, { organizationId, ...segment }) };
  }
}

const maximumSegments = 1_000;
