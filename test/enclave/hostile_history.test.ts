// A database that lies about the history of an address and its counter can only withhold rows; only the
// oldest rows are deleted.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ChainTransaction } from '../../src/core/organization/records/chain_transactions.ts';
import { createRootKeys } from '../../src/enclave/keys/root_keys.ts';
import { createSealing } from '../../src/enclave/keys/sealing.ts';
import { createRecordCodec } from '../../src/enclave/records/record_codec.ts';
import type { StoredRecord } from '../../src/store/port.ts';
import {
  ethereum,
  transaction,
  transfer,
  watchedChain,
} from '../operations/transaction_history/watched_chain.ts';
import { ethereumAccount, makeWallet } from '../operations/wallets/wallet_requests.ts';
import { seededRandom, startTestService, testKey, testRootKey } from '../support/harness.ts';
import { hostileStore } from './hostile_store.ts';
import { queryBody, startServiceOver } from './service_over.ts';

const kind = 'chain_transaction';
const wholeKind = { greaterThan: undefined, lessThan: undefined, ascending: true, limit: 200 };

async function start(t: TestContext) {
  const service = await startTestService();
  t.after(() => service.close());
  const { organizationId } = service.root;
  const { addresses } = await makeWallet(service, [
    ethereumAccount(),
    { ...ethereumAccount(), path: "m/44'/60'/0'/0/1" },
  ]);
  const [own = '', other = ''] = addresses.map((address: string) => address.toLowerCase());
  const store = hostileStore(service.store.port);
  const over = await startServiceOver({ store: store.port, seed: 'hostile', clock: service.now });
  const chain = watchedChain(over);
  await chain.begin();
  const codec = createRecordCodec(
    createSealing('seal', createRootKeys(testRootKey()), seededRandom('unused')),
  );
  const opened = (row: StoredRecord) =>
    codec.openRecord(organizationId, row) as unknown as ChainTransaction;
  let number = 1;
  let after: Awaited<ReturnType<typeof chain.confirm>> | undefined;
  /** Finalizes blocks in turn, each with a transaction to an address. */
  async function blocks(address: string, count: number): Promise<void> {
    for (let i = 0; i < count; i += 1) {
      number += 2;
      const txHash = `0x${number}`;
      const block = await chain.confirm(`b${number - 1}`, {
        transactions: [transaction(txHash)],
        transfers: [transfer(txHash, { address })],
      });
      if (after !== undefined) await chain.finalize(after);
      after = await chain.confirm(`b${number}`);
      await chain.finalize(block);
    }
  }
  return {
    store,
    over,
    own,
    other,
    blocks,
    /** Returns the numbers of the final transactions of an address, oldest first. */
    numbers: async (address: string) => {
      const asked = { organizationId, kind, groupId: undefined, page: wholeKind };
      return (await service.store.port.recordPage(asked))
        .map(opened)
        .filter((row) => row.address === address)
        .map(({ finalNumber }) => finalNumber);
    },
    rowsOf: async (address: string) => {
      const asked = { organizationId, kind, groupId: undefined, page: wholeKind };
      const rows = await service.store.port.recordPage(asked);
      return rows.filter((row) => opened(row).address === address);
    },
    shown: async (address: string) => {
      const body = queryBody(organizationId, { address, caip2: ethereum });
      const operation = 'list_eth_transaction_history';
      const answer = await over.send('query', operation, body, testKey('root'));
      return answer.status === 200
        ? answer.body.transactions.map(({ transactionHash }: ShownItem) => transactionHash)
        : answer.status;
    },
  };
}

type ShownItem = { readonly transactionHash: string };

test('rows of another address in the group neither count for it nor are deleted with it', async (t) => {
  const { store, own, other, blocks, numbers, rowsOf, shown } = await start(t);
  await blocks(other, 6);
  await blocks(own, 2);
  const moved = await rowsOf(other);
  const group = (await rowsOf(own))[0]?.groupId;
  store.alter({
    recordPage: (honest, { groupId }) =>
      groupId === group ? [...moved, ...honest].toReversed() : honest,
  });
  await blocks(own, 1);
  store.alter({});
  assert.deepEqual(await numbers(own), [1, 2, 3]);
  assert.deepEqual(await numbers(other), [1, 2, 3, 4, 5, 6]);
  assert.equal((await shown(own)).length, 3);
});

test('withheld rows are not shown, and counting restarts without them', async (t) => {
  const { store, own, blocks, numbers, shown } = await start(t);
  await blocks(own, 2);
  store.alter({ recordPage: () => [] });
  assert.deepEqual(await shown(own), []);
  await blocks(own, 1);
  store.alter({});
  assert.deepEqual(await numbers(own), [1, 2, 1]);
  await blocks(own, 1);
  assert.deepEqual(await numbers(own), [1, 2, 1, 3]);
  assert.equal((await shown(own)).length, 4, 'nothing is lost that is there');
});

test('an altered row is refused, and blocks neither its chain nor other addresses', async (t) => {
  const { store, over, own, other, blocks, numbers, shown } = await start(t);
  await blocks(own, 2);
  await blocks(other, 1);
  const honest = await shown(own);
  let first = '';
  store.alter({
    recordPage: (rows) => {
      first ||= rows.at(-1)?.id ?? '';
      return rows.map((row) =>
        row.id === first ? { ...row, body: row.body.map((byte) => byte ^ 1) } : row,
      );
    },
  });
  assert.equal(await shown(own), 500);
  const [line] = over.log.filter(({ level }) => level === 'error');
  assert.deepEqual([line?.fields['kind'], line?.fields['id']], [kind, first]);
  await blocks(other, 1);
  await blocks(own, 1);
  store.alter({});
  assert.deepEqual(await numbers(own), [1, 2, 3]);
  assert.deepEqual(await numbers(other), [1, 2]);
  assert.equal((await shown(own)).length, honest.length + 1);
});
