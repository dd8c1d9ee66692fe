import assert from 'node:assert/strict';
import { sep } from 'node:path';
import { test } from 'node:test';
import { forward, forwarded, use } from './variants.ts';

const address = 'file:///source.ts';
const variantOf = (answer: number) => ({
  decide: () => answer,
  Refusal: class Refusal {
    readonly answer = answer;
  },
});

test('importers get functions of the variant in use, and constants of the first', () => {
  const first = variantOf(1);
  const decide = forwarded(address, 'decide', first.decide) as typeof first.decide;
  const Refusal = forwarded(address, 'Refusal', first.Refusal) as typeof first.Refusal;
  const list = ['A'];
  assert.equal(forwarded(address, 'list', list), list);
  assert.deepEqual([decide(), new Refusal().answer], [1, 1]);

  const second = variantOf(2);
  use(address, second);
  assert.deepEqual([decide(), new Refusal().answer], [2, 2]);
  // An error of the variant is an instance of the class that other modules imported.
  assert(new second.Refusal() instanceof Refusal);
  assert(!(new first.Refusal() instanceof Refusal));

  use('file:///other.ts', {});
  assert.deepEqual([decide(), new Refusal().answer], [1, 1]);
});

test('every export that is no type is passed on', () => {
  const source = `export type A = string;
export const limit = 1;
export async function read(): Promise<void> {}
export function write(): void {}
export class Refusal extends Error {}
function inner(): void {}
`;
  const names = [...forward(address, source).matchAll(/^export const (\w+) = /gm)];
  assert.deepEqual(
    names.map(([, name]) => name),
    ['limit', 'read', 'write', 'Refusal'],
  );
});

test('names that a source exports from another module are passed on as they are', async () => {
  const asModule = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`;
  const source = `export { sep } from "node:path";
export function decide() { return 1; } //`;
  const passedOn = await import(asModule(forward(asModule(source), source)));
  assert.equal(passedOn.sep, sep);
  assert.equal(passedOn.decide(), 1);
});
