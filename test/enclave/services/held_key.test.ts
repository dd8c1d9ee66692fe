import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHeldKey, withHeldKey } from '../../../src/enclave/services/held_key.ts';
import type { Handlers } from '../../../src/ipc/message_table.ts';
import type { EnclaveMessages } from '../../../src/ipc/messages.ts';

const key = (): Uint8Array => new Uint8Array(32).fill(5);

/** Returns a reader that returns these parts in turn. */
const readsFrom = (parts: readonly Uint8Array[]) => {
  const left = [...parts];
  return ((_: number, into: Uint8Array, offset: number) => {
    const part = left.shift() ?? new Uint8Array(0);
    into.set(part, offset);
    return part.length;
  }) as Parameters<typeof readHeldKey>[0];
};

test('the key is read whole from any parts', () => {
  const whole = key();
  const parts = [whole.subarray(0, 1), whole.subarray(1, 30), whole.subarray(30)];
  assert.deepEqual(Buffer.from(readHeldKey(readsFrom(parts))), Buffer.from(whole));
  assert.throws(() => readHeldKey(readsFrom(parts.slice(0, 2))), /holds a whole root key/);
  assert.throws(() => readHeldKey(readsFrom([])), /holds a whole root key/);
});

test('a start takes the held key once, and no key of the gateway', () => {
  const taken: Uint8Array[] = [];
  const inner = {
    start: ({ rootKey }: { rootKey: Uint8Array }) => void taken.push(rootKey),
    startCustody: ({ rootKey }: { rootKey: Uint8Array }) => void taken.push(rootKey),
  } as unknown as Handlers<EnclaveMessages>;
  const brought = new Uint8Array(32).fill(9);
  const refusing = withHeldKey(inner, key());
  assert.throws(() => refusing.startCustody({ rootKey: brought }), /brings no root key/);
  assert.deepEqual(brought, new Uint8Array(32), 'what came is wiped');
  const enclave = withHeldKey(inner, key());
  enclave.startCustody({ rootKey: new Uint8Array(0) });
  assert.deepEqual(taken, [key()]);
  assert.throws(() => enclave.startCustody({ rootKey: new Uint8Array(0) }), /taken once/);
});
