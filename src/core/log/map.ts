// The Merkle map of a log: the state of each organization after a batch. It is a 16-way trie over the hashes
// of organization IDs. It imports only `inclusion.ts`, so the enclave and the verifier can share it.

import { type Hash, hashBytes, sameBytes } from './inclusion.ts';

/** The state of one organization in the map. */
export type MapValue = {
  readonly organizationId: string;
  /** Minimum version of the organization. */
  readonly version: number;
  /** SHA-256 of the sealed head of that version, hex. */
  readonly head: string;
  /** Number of the organization's entries in the log. */
  readonly entries: number;
  /** The organization's last entry in hex; 64 zeros without entries. */
  readonly last: string;
};

/** A stored page: each slot is empty, an organization, or the hash of the child page (hex). */
export type MapPage = readonly (MapValue | string | null)[];

/** Number of slots of a page. */
export const mapWidth = 16;
const pagePrefix = 2;
const leafPrefix = 3;

export const emptySlot = new Uint8Array(hashBytes);

/** Returns the path of an organization: its slot on each page, as hex digits. */
export function mapKey(hash: Hash, organizationId: string): string {
  return hash(bytesOf(`keywright-log-map-key/v1\n${organizationId}\n`)).toHex();
}

export function textOfMapValue(value: MapValue): string {
  const { organizationId, version, head, entries, last } = value;
  const lines = [
    'keywright-log-organization/v1',
    `organization ${organizationId}`,
    `version ${version}`,
    `head ${head}`,
    `entries ${entries}`,
    `last ${last}`,
  ];
  return `${lines.join('\n')}\n`;
}

const valuePattern = new RegExp(
  [
    '^keywright-log-organization/v1',
    'organization ([0-9a-f-]{36})',
    'version ([1-9][0-9]{0,15})',
    'head ([0-9a-f]{64})',
    'entries (0|[1-9][0-9]{0,15})',
    'last ([0-9a-f]{64})\n$',
  ].join('\n'),
);

/** Parses the text of a value. Returns undefined unless `textOfMapValue` writes the same text. */
export function readMapValue(text: string): MapValue | undefined {
  const [, organizationId, version, head, entries, last] = valuePattern.exec(text) ?? [];
  if (organizationId === undefined || head === undefined || last === undefined) return undefined;
  return { organizationId, version: Number(version), head, entries: Number(entries), last };
}

/** Returns the slot of an organization. */
export function slotOfValue(hash: Hash, value: MapValue): Uint8Array {
  const bytes = new Uint8Array(1 + 2 * hashBytes);
  bytes[0] = leafPrefix;
  bytes.set(Uint8Array.fromHex(mapKey(hash, value.organizationId)), 1);
  bytes.set(hash(bytesOf(textOfMapValue(value))), 1 + hashBytes);
  return hash(bytes);
}

/** Returns the hash of a page over its slots. The hash of the top page is the root. */
export function slotOfPage(hash: Hash, slots: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(1 + slots.length);
  bytes[0] = pagePrefix;
  bytes.set(slots, 1);
  return hash(bytes);
}

/** Returns the root of the map without organizations. */
export const emptyMapRoot = (hash: Hash): Uint8Array =>
  slotOfPage(hash, new Uint8Array(mapWidth * hashBytes));

/** Returns true if pages, from the top down, prove this slot of an organization under a root. */
export function isMapped(
  hash: Hash,
  {
    root,
    value,
    pages,
  }: {
    readonly root: Uint8Array;
    readonly value: MapValue;
    readonly pages: readonly Uint8Array[];
  },
): boolean {
  const key = mapKey(hash, value.organizationId);
  if (pages.length === 0 || pages.length > key.length) return false;
  let expected = root;
  for (const [depth, page] of pages.entries()) {
    if (page.length !== mapWidth * hashBytes) return false;
    if (!sameBytes(slotOfPage(hash, page), expected)) return false;
    const at = Number.parseInt(key[depth] ?? '', 16) * hashBytes;
    expected = page.slice(at, at + hashBytes);
  }
  return sameBytes(slotOfValue(hash, value), expected);
}

const rootPattern = /^keywright-log-map\/v1\nroot ([0-9a-f]{64})\n$/;

/** Returns the text of the last entry of a batch. It needs no salt, because it names no organization. */
export function textOfMapEntry(root: Uint8Array): string {
  return `keywright-log-map/v1\nroot ${root.toHex()}\n`;
}

/** Parses the text of the last entry of a batch. Returns undefined if it is malformed. */
export function readMapEntry(text: string): Uint8Array | undefined {
  const [, root] = rootPattern.exec(text) ?? [];
  return root === undefined ? undefined : Uint8Array.fromHex(root);
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
