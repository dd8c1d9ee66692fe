// Files may not import each other in a circle, whether at run time, as types or dynamically.

import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { importsOf, root } from './sources.ts';

const files = globSync(['{src,tools,bench,test}/**/*.ts', 'dashboard/**/*.{ts,tsx}'], {
  cwd: root,
  exclude: ['**/node_modules/**'],
}).sort();
const graph = new Map(files.map((file) => [file, importsOf(file).map(({ target }) => target)]));

test('no import closes a circle between files', () => {
  assert(files.length > 1_000, `only ${files.length} files were found`);
  assert.deepEqual(circlesOf(graph), []);
});

for (const area of ['src/cli', 'src/gateway', 'src/store']) {
  test(`no import closes a circle between the rooms of ${area}`, () => {
    const roomOf = (file: string) =>
      file.startsWith(`${area}/`) ? file.split('/').slice(0, 3).join('/') : file;
    const rooms = new Map<string, string[]>();
    for (const [file, targets] of graph) {
      if (!file.startsWith(`${area}/`)) continue;
      const room = roomOf(file);
      const others = targets.map(roomOf).filter((target) => target !== room);
      rooms.set(room, [...(rooms.get(room) ?? []), ...others]);
    }
    assert(rooms.size > 8, `only ${rooms.size} rooms were found`);
    assert.deepEqual(circlesOf(rooms), []);
  });
}

test('a circle between files is found', () => {
  const arrows: readonly (readonly [string, readonly string[]])[] = [
    ['a', ['b', 'package']],
    ['b', ['c']],
    ['c', ['b']],
    ['d', ['d']],
  ];
  assert.deepEqual(circlesOf(new Map(arrows)), [['b', 'c'], ['d']]);
});

/** Returns the sets of nodes that reach each other, each set and all of them sorted. */
function circlesOf(arrows: ReadonlyMap<string, readonly string[]>): readonly string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string): number => {
    const number = order.size;
    order.set(node, number);
    open.push(node);
    let low = number;
    for (const next of arrows.get(node) ?? []) {
      if (!arrows.has(next)) continue;
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, lowest.get(next) ?? order.get(next) ?? low);
      lowest.set(node, low);
    }
    lowest.set(node, low);
    if (low !== number) return low;
    const circle = open.splice(open.indexOf(node)).sort();
    const isAlone = circle.length === 1 && !arrows.get(node)?.includes(node);
    if (!isAlone) circles.push(circle);
    return low;
  };
  for (const node of arrows.keys()) if (!order.has(node)) visit(node);
  return circles.sort();
}
