// TronWeb: the service signs its transactions, and TronWeb recovers the signer and sends them.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { TronWeb, Trx, type Types } from 'tronweb';
import {
  accountParameters,
  createAddress,
  httpClient,
  serverClient,
  timestampMs,
} from './clients.ts';
import { serviceOfThisFile } from './service.ts';
import { startTronNode } from './tron_node.ts';

const service = await serviceOfThisFile();
const { organizationId } = service.credentials;
const owner = await createAddress(service, 'tronweb', accountParameters.tron);
const node = await startTronNode();
after(node.stop);
const tronWeb = new TronWeb({ fullHost: node.origin });
const builder = tronWeb.transactionBuilder;

const receiver = 'TC1sM1mNaLCwQDmGKiKSReV628Ksz3Sc8E';
const token = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf';
const local = { txLocal: true, feeLimit: 100_000_000 };
const key = (address: string, weight: number) => ({ address, weight });

type Unsigned = Types.Transaction;

const transactions: Readonly<Record<string, () => Promise<Unsigned>>> = {
  'a transfer': () => builder.sendTrx(receiver, 1_000_000, owner),
  'a transfer with a memo': async () =>
    builder.addUpdateData(await builder.sendTrx(receiver, 1, owner), 'invoice 7', 'utf8', {
      txLocal: true,
    }),
  'a transfer by a permission': () =>
    builder.sendTrx(receiver, 1_000_000, owner, { permissionId: 2 }),
  'a transfer for another owner': () =>
    builder.sendTrx(owner, 1_000_000, receiver, { permissionId: 3 }),
  'a TRC-20 transfer': () => tokenCall('transfer(address,uint256)'),
  'a TRC-20 approval': () => tokenCall('approve(address,uint256)'),
  'a call with TRX': async () =>
    (await builder.triggerSmartContract(token, 'deposit()', { ...local, callValue: 5 }, [], owner))
      .transaction,
  'staking for energy': () => builder.freezeBalanceV2(3_000_000, 'ENERGY', owner),
  'taking back a stake': () => builder.unfreezeBalanceV2(2_000_000, 'BANDWIDTH', owner),
  'lending energy': () =>
    builder.delegateResource(1_000_000, receiver, 'ENERGY', owner, true, 86_400),
  'taking back bandwidth': () =>
    builder.undelegateResource(1_000_000, receiver, 'BANDWIDTH', owner),
  'new permissions': () =>
    builder.updateAccountPermissions(
      owner,
      { type: 0, permission_name: 'owner', threshold: 2, keys: [key(owner, 1), key(receiver, 1)] },
      undefined,
      [
        {
          type: 2,
          permission_name: 'active',
          threshold: 1,
          operations: '7fff1fc0033e0000000000000000000000000000000000000000000000000000',
          keys: [key(receiver, 1)],
        },
      ],
    ),
};

for (const [what, build] of Object.entries(transactions)) {
  test(`${what} of TronWeb is signed unchanged`, async () => {
    const unsigned = await build();
    const signed = await sign(unsigned.raw_data_hex);
    const raw = unsigned.raw_data_hex;
    const prefix = `0a${varint(raw.length / 2)}`;
    assert.ok(signed.startsWith(`${prefix}${raw}1241`));
    const signature = signed.slice(-130);
    assert.ok(['1b', '1c'].includes(signature.slice(-2)));
    const transaction = { ...unsigned, signature: [signature] };
    assert.equal(Trx.ecRecover(transaction), owner);
    const answer = await tronWeb.trx.sendHexTransaction(signed);
    assert.equal(answer.result, true);
    assert.equal(node.broadcast.at(-1), signed);
  });
}

test('@turnkey/sdk-server signs bytes with the prefix 0x', async () => {
  const { raw_data_hex } = await builder.sendTrx(receiver, 7, owner);
  const { signedTransaction } = await serverClient(service).signTransaction({
    signWith: owner,
    type: 'TRANSACTION_TYPE_TRON',
    unsignedTransaction: `0x${raw_data_hex.toUpperCase()}`,
  });
  assert.equal(signedTransaction, await sign(raw_data_hex));
});

test('a signed transaction and a transaction with two contracts are refused', async () => {
  const { raw_data_hex } = await builder.sendTrx(receiver, 8, owner);
  const refused = (place: string) => ({
    message: new RegExp(`Turnkey error 3: failed to parse transaction.*${place}`),
  });
  await assert.rejects(sign(await sign(raw_data_hex)), refused('raw_data.ref_block_bytes'));
  const [contract] = raw_data_hex.match(/5a[0-9a-f]{2}08011[0-9a-f]+(?=70)/) ?? [];
  assert.ok(contract !== undefined);
  await assert.rejects(
    sign(raw_data_hex.replace(contract, contract + contract)),
    refused('field 11 is repeated'),
  );
});

async function sign(unsignedTransaction: string): Promise<string> {
  const { activity } = await httpClient(service).signTransaction({
    type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
    timestampMs: timestampMs(),
    organizationId,
    parameters: { signWith: owner, type: 'TRANSACTION_TYPE_TRON', unsignedTransaction },
  });
  const signed = activity.result.signTransactionResult?.signedTransaction;
  assert.ok(signed !== undefined);
  return signed;
}

async function tokenCall(functionSelector: string): Promise<Unsigned> {
  const parameters = [
    { type: 'address', value: receiver },
    { type: 'uint256', value: 1_000_000 },
  ];
  const call = await builder.triggerSmartContract(
    token,
    functionSelector,
    local,
    parameters,
    owner,
  );
  return call.transaction;
}

/** Encodes a length as in Protocol Buffers. */
function varint(value: number): string {
  const bytes: number[] = [];
  for (let left = value; ; left >>= 7) {
    if (left < 0x80) return Uint8Array.from([...bytes, left]).toHex();
    bytes.push((left & 0x7f) | 0x80);
  }
}
