// The pages of the log's map in the store. Each is a sealed row whose parent page contains its hash, so
// rolled-back pages are rejected. A batch reads and writes only the pages on the paths of its organizations.

import { concatBytes, hex } from '../../core/base/bytes.ts';
import { publicSha256 } from '../../core/crypto/hashes.ts';
import { assert } from '../../core/errors/errors.ts';
import {
  emptyMapRoot,
  emptySlot,
  type MapPage,
  type MapValue,
  mapKey,
  mapWidth,
  slotOfPage,
  slotOfValue,
} from '../../core/log/map.ts';
import type { StoredRecord } from '../../store/port.ts';
import { logId } from './log_codec.ts';
import type { LogRows } from './log_rows.ts';
import { refuseRecord } from './record_codec.ts';

/** Number of pages above an organization that one read fetches: enough for a million organizations. */
const usualDepth = 7;

type ReadPages = Pick<LogRows, 'mapPages'>;

const rootPath = '';
const noPage: MapPage = Array.from({ length: mapWidth }, () => null);

function refusePage(path: string): never {
  return refuseRecord({ organizationId: logId, kind: 'log_map', id: `/${path}`, version: 0 });
}

function slotsOf(page: MapPage): Uint8Array {
  return concatBytes(
    ...page.map((slot) => {
      if (slot === null) return emptySlot;
      return typeof slot === 'string' ? Uint8Array.fromHex(slot) : slotOfValue(publicSha256, slot);
    }),
  );
}

const hashOf = (page: MapPage): string => hex(slotOfPage(publicSha256, slotsOf(page)));
const slotAt = (page: MapPage, key: string, depth: number) =>
  page[Number.parseInt(key[depth] ?? '', 16)] ?? null;

type MapPath = {
  readonly value: MapValue | undefined;
  /** The slots of the pages from the root to the organization. */
  readonly pages: readonly Uint8Array[];
};

/**
 * Returns the value of an organization in the map of a root, with its proof. Raises `record_refused` if a
 * page does not belong to this root.
 */
export async function readMapPath(
  rows: ReadPages,
  root: string,
  organizationId: string,
): Promise<MapPath> {
  const key = mapKey(publicSha256, organizationId);
  const pathsFrom = (depth: number) =>
    Array.from({ length: usualDepth }, (_, i) => key.slice(0, depth + i));
  let found = await rows.mapPages(pathsFrom(0));
  const pages: Uint8Array[] = [];
  let expected = root;
  for (let depth = 0; depth < key.length; depth += 1) {
    const path = key.slice(0, depth);
    if (depth > 0 && depth % usualDepth === 0) found = await rows.mapPages(pathsFrom(depth));
    const page = found.get(path) ?? (depth === 0 ? noPage : refusePage(path));
    if (hashOf(page) !== expected) refusePage(path);
    pages.push(slotsOf(page));
    const slot = slotAt(page, key, depth);
    if (typeof slot === 'string') {
      expected = slot;
      continue;
    }
    const value = slot?.organizationId === organizationId ? slot : undefined;
    return { value, pages };
  }
  return refusePage(key);
}

type GrowingMap = {
  /** Returns the value of an organization loaded at the start. */
  get(organizationId: string): MapValue | undefined;
  /** Sets the value of an organization loaded at the start. */
  put(value: MapValue): void;
  /** The root (hex), and the changed pages by path. */
  finish(): { readonly root: string; readonly pages: ReadonlyMap<string, MapPage> };
};

/** Loads the pages of organizations for changes of their values. Raises `record_refused`. */
export async function growMap(
  rows: ReadPages,
  root: string | undefined,
  organizationIds: readonly string[],
): Promise<GrowingMap> {
  const keys = organizationIds.map((id) => mapKey(publicSha256, id));
  const pages = await readPages(rows, root ?? hex(emptyMapRoot(publicSha256)), keys);
  const changed = new Set<string>();

  function pageAt(path: string): MapPage {
    const page = pages.get(path);
    assert(page !== undefined, 'the pages of an organization were read');
    return page;
  }

  /** Inserts a value below a page. An occupied slot becomes a page. */
  function put(value: MapValue, key: string, path: string): void {
    const page = pageAt(path);
    changed.add(path);
    const slot = slotAt(page, key, path.length);
    const isOther = slot !== null && typeof slot !== 'string';
    if (slot === null || (isOther && slot.organizationId === value.organizationId)) {
      pages.set(path, withSlot(page, key, path.length, value));
      return;
    }
    const below = key.slice(0, path.length + 1);
    if (isOther) {
      pages.set(below, noPage);
      put(slot, mapKey(publicSha256, slot.organizationId), below);
    }
    put(value, key, below);
    pages.set(path, withSlot(page, key, path.length, ''));
  }

  return {
    get: (organizationId) => {
      const key = mapKey(publicSha256, organizationId);
      for (let path = rootPath; ; path = key.slice(0, path.length + 1)) {
        const slot = slotAt(pageAt(path), key, path.length);
        if (typeof slot === 'string') continue;
        return slot?.organizationId === organizationId ? slot : undefined;
      }
    },
    put: (value) => put(value, mapKey(publicSha256, value.organizationId), rootPath),
    finish: () => {
      // Deepest pages first, because each page contains the hashes of its child pages.
      const paths = [...changed].sort((a, b) => b.length - a.length);
      for (const path of paths) {
        if (path === rootPath) continue;
        const above = path.slice(0, -1);
        const withHash = withSlot(pageAt(above), path, above.length, hashOf(pageAt(path)));
        pages.set(above, withHash);
      }
      const result = new Map(paths.map((path) => [path, pageAt(path)]));
      return { root: hashOf(pageAt(rootPath)), pages: result };
    },
  };
}

function withSlot(page: MapPage, key: string, depth: number, slot: MapPage[number]): MapPage {
  return page.with(Number.parseInt(key[depth] ?? '', 16), slot);
}

/** Reads the pages on the paths of keys, level by level. */
async function readPages(
  rows: ReadPages,
  root: string,
  keys: readonly string[],
): Promise<Map<string, MapPage>> {
  const pages = new Map<string, MapPage>();
  let wanted = new Map([[rootPath, root]]);
  for (let depth = 0; wanted.size > 0; depth += 1) {
    const found = await rows.mapPages([...wanted.keys()]);
    for (const [path, expected] of wanted) {
      const page = found.get(path) ?? (depth === 0 ? noPage : refusePage(path));
      if (hashOf(page) !== expected) refusePage(path);
      pages.set(path, page);
    }
    const next = new Map<string, string>();
    for (const key of keys) {
      const page = pages.get(key.slice(0, depth));
      const slot = page && slotAt(page, key, depth);
      if (typeof slot === 'string') next.set(key.slice(0, depth + 1), slot);
    }
    wanted = next;
  }
  return pages;
}

/** Returns the rows of pages. */
export function rowsOfPages(
  rows: Pick<LogRows, 'rowOfMapPage'>,
  pages: ReadonlyMap<string, MapPage>,
  version: number,
): readonly StoredRecord[] {
  return [...pages].map(([path, page]) => rows.rowOfMapPage(path, page, version));
}
