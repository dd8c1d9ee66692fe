import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesBelow, importsOf } from './sources.ts';

/**
 * The rooms, from the bottom to the top, and the rooms that each may import, at run time or as types. A row
 * names only rows above it, so no import leads upward. `chains/*` stands for the room of each chain.
 */
const rooms: Readonly<Record<string, string>> = {
  // Generated from the operations.
  generated: '',
  base: '',
  // Imports nothing, because the verifier of receipts shares it and has no part of the service.
  log: '',
  errors: 'base',
  schema: 'base errors',
  crypto: 'base errors schema',
  address: 'base errors crypto',
  derivation: 'base errors crypto',
  payload: 'base errors schema crypto',
  // The common parts of the readers of all chains. A reader imports no other chain, no policy, no store and
  // no organization.
  chains: 'base errors schema crypto address payload',
  'chains/*': 'base errors schema crypto address payload chains',
  bundles: 'base errors schema crypto derivation',
  balances: 'base crypto',
  organization: 'base errors schema address',
  external: 'base errors schema balances organization',
  history: 'base crypto balances organization',
  contracts: 'base errors schema crypto payload organization',
  proofs: 'base schema crypto organization',
  auth: 'base errors schema crypto bundles organization external',
  keys: 'base errors schema crypto address derivation bundles organization',
  deployments: 'base errors schema crypto derivation organization keys',
  'policy/names': 'base',
  'policy/language': 'base errors policy/names',
  transactions:
    'base errors schema crypto address payload chains chains/* balances organization contracts policy/language',
  'policy/sets': 'base log crypto organization',
  policy: 'generated base errors organization policy/names policy/language policy/sets',
  users: 'base errors schema crypto bundles organization auth policy/language',
  settings: 'base errors crypto contracts organization auth keys policy users',
  mfa: 'base errors organization policy/language users',
  'policy/decision':
    'generated base errors schema derivation payload chains/* transactions organization policy/language users mfa',
  custody: 'base errors schema crypto proofs',
  'policy/velocity': 'base errors crypto organization policy/language policy policy/decision',
  sends: 'base errors crypto payload chains chains/* balances organization policy/velocity',
  markets: 'base errors schema crypto payload organization balances sends',
  'policy/lint':
    'base schema address chains/* transactions organization policy/names policy/language policy policy/decision',
  'policy/simulator': 'base schema policy/names policy/language policy policy/decision policy/lint',
  'policy/test_readers':
    'base errors schema crypto address chains transactions policy/language policy/simulator',
  'policy/map': 'policy/simulator policy/test_readers',
  freezes: 'base errors organization policy/decision',
  address_book: 'base errors crypto address organization policy/language',
  activity: 'generated base crypto errors schema organization users policy/decision freezes',
  views: 'base errors schema address organization policy/language users mfa policy/decision',
  webhooks:
    'base errors schema crypto derivation balances transactions organization policy policy/decision activity',
};

/** The folders beside and above `src/core`, which may import all of its rooms. */
const folders: Readonly<Record<string, string>> = {
  // Shared by both processes: random bytes of the kernel, and output that never blocks.
  system: '',
  client: '',
  // The verifier of receipts.
  receipts: '',
  operations: '',
  store: '',
  'settings/': '',
  ipc: 'store',
  pipeline: 'operations store',
  'enclave/keys': '',
  'enclave/turns': 'ipc',
  'enclave/measurements': 'ipc',
  'enclave/records': 'operations store ipc pipeline enclave/keys',
  'enclave/services': 'operations store ipc pipeline enclave/keys enclave/records',
  enclave:
    'system operations store ipc pipeline enclave/keys enclave/turns enclave/measurements enclave/records enclave/services',
  gateway: 'system client operations store settings/ ipc',
  archive: 'system store settings/ ipc enclave/keys enclave/records enclave/services gateway',
  export: 'operations store enclave/keys enclave/records enclave/services archive',
  rotation: 'system store settings/ enclave/keys enclave/records enclave/services gateway archive',
  dev: 'system store settings/ gateway',
  frame_pages: 'client',
  holder_page: 'client gateway',
  cli: 'system client receipts store settings/ enclave/keys enclave gateway archive export rotation dev holder_page',
};

type Arrow = { readonly from: string; readonly to: string; readonly import: string };
const arrows = filesBelow('src').flatMap((file) =>
  importsOf(file).flatMap(({ target }): Arrow[] => {
    const from = roomOf(file);
    const to = roomOf(target);
    const isArrow = from !== undefined && to !== undefined && from !== to;
    return isArrow ? [{ from, to, import: `${file} → ${target}` }] : [];
  }),
);

test('every file of src/core and of the folders above stands in a room of the table', () => {
  const entries = /^src\/[a-z_]+\.ts$/;
  const outside = filesBelow('src').filter((file) => {
    const room = roomOf(file);
    return room === undefined ? !entries.test(file) : rowOf(room) === undefined;
  });
  assert.deepEqual(outside, []);
});

test('rooms import what their row names, at run time and as types', () => {
  const broken = arrows.filter(
    ({ from, to }) =>
      !(isFolder(from) && !isFolder(to)) && !(rowOf(from) ?? []).includes(nameInTable(to)),
  );
  assert.deepEqual(
    broken.map((arrow) => arrow.import),
    [],
  );
});

test('a row names rows above it only', () => {
  for (const table of [rooms, folders]) {
    const above = new Set<string>();
    for (const [room, imported] of Object.entries(table)) {
      assert.deepEqual(
        names(imported).filter((name) => !above.has(name)),
        [],
        `${room} names rows that are not above it`,
      );
      above.add(room);
    }
  }
});

test('no import closes a circle between rooms, at run time or as types', () => {
  assert(arrows.length > 1_000, `only ${arrows.length} imports between rooms were found`);
  assert.deepEqual(circleOf(arrows), undefined);
});

test('a circle between rooms is found', () => {
  const arrow = (from: string, to: string) => ({ from, to, import: '' });
  assert.deepEqual(circleOf([arrow('a', 'b'), arrow('b', 'c'), arrow('a', 'c')]), undefined);
  assert.deepEqual(circleOf([arrow('a', 'b'), arrow('b', 'c'), arrow('c', 'b')]), ['b', 'c', 'b']);
});

/** Returns the room of a file below `src/`; undefined for an entry file or a package. */
function roomOf(file: string): string | undefined {
  const [, folder = '', room = '', below] =
    /^src\/(\w+)\/(?:(\w+)\/)?(?:(\w+)\/)?/.exec(file) ?? [];
  if (folder === 'core') {
    const hasRooms = room === 'policy' || room === 'chains';
    return hasRooms && below !== undefined ? `${room}/${below}` : room;
  }
  if (folder === 'enclave' && room !== '') return `${folder}/${room}`;
  if (folder === '') return undefined;
  // A room of `src/core` may have the name of a folder beside it.
  return folder in rooms ? `${folder}/` : folder;
}

function nameInTable(room: string): string {
  return room.startsWith('chains/') ? 'chains/*' : room;
}

function rowOf(room: string): readonly string[] | undefined {
  const row = rooms[nameInTable(room)] ?? folders[room];
  return row === undefined ? undefined : names(row);
}

function names(row: string): readonly string[] {
  return row.split(' ').filter((name) => name !== '');
}

function isFolder(room: string): boolean {
  return room in folders;
}

/** Returns the rooms of a circle in order, ending with the first; undefined if there is no circle. */
function circleOf(found: readonly Arrow[]): readonly string[] | undefined {
  const after = Map.groupBy(found, ({ from }) => from);
  const done = new Set<string>();
  const walk = (room: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(room)) return [...path.slice(path.indexOf(room)), room];
    if (done.has(room)) return undefined;
    for (const next of new Set((after.get(room) ?? []).map(({ to }) => to))) {
      const circle = walk(next, [...path, room]);
      if (circle !== undefined) return circle;
    }
    done.add(room);
    return undefined;
  };
  for (const room of after.keys()) {
    const circle = walk(room, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}
