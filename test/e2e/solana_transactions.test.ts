// Transactions of @turnkey/solana, and of version 1 by @solana/kit. A real virtual machine executes each, and
// the balance changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TurnkeySigner as KeychainSigner } from '@solana/keychain-turnkey';
import {
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getPublicKeyFromAddress,
  getTransactionDecoder,
  getTransactionEncoder,
  address as kitAddress,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  verifySignature,
} from '@solana/kit';
import {
  AddressLookupTableAccount,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { TurnkeySigner } from '@turnkey/solana';
import {
  accountParameters,
  asDeclared,
  createAddress,
  httpClient,
  serverClient,
  timestampMs,
} from './clients.ts';
import { serviceOfThisFile } from './service.ts';
import { createSolanaChain } from './solana_chain.ts';

const service = await serviceOfThisFile();
const { organizationId } = service.credentials;
const address = await createAddress(service, 'Solana transactions', accountParameters.solana);
const owner = new PublicKey(address);
const chain = createSolanaChain();
chain.send([transferFrom(chain.payer.publicKey, owner, 1_000_000_000)]);

const signers = {
  'by @turnkey/http': new TurnkeySigner({
    organizationId,
    client: asDeclared(httpClient(service)),
  }),
  'by @turnkey/sdk-server': new TurnkeySigner({
    organizationId,
    client: asDeclared(serverClient(service)),
  }),
};

for (const [how, signer] of Object.entries(signers)) {
  test(`a legacy transaction is signed and moves SOL, ${how}`, async () => {
    const receiver = Keypair.generate().publicKey;
    const unsigned = new Transaction({ feePayer: owner, recentBlockhash: chain.recentBlockhash() });
    unsigned.add(transferFrom(owner, receiver, 2_000_000));
    const signed = await signer.signTransaction(unsigned, address);
    assert(signed instanceof Transaction && signed.verifySignatures());
    chain.execute(signed);
    assert.equal(balanceOf(receiver), 2_000_000n);
  });

  test(`a transaction of version 0 with a lookup table moves SOL, ${how}`, async () => {
    const receiver = Keypair.generate().publicKey;
    const table = tableOf(receiver);
    const message = new TransactionMessage({
      payerKey: owner,
      recentBlockhash: chain.recentBlockhash(),
      instructions: [transferFrom(owner, receiver, 3_000_000)],
    }).compileToV0Message([table]);
    assert.equal(message.addressTableLookups.length, 1);
    const signed = await signer.signTransaction(new VersionedTransaction(message), address);
    assert(signed instanceof VersionedTransaction);
    chain.execute(signed);
    assert.equal(balanceOf(receiver), 3_000_000n);
  });

  test(`all transactions are signed at once and move SOL, ${how}`, async () => {
    const receivers = [Keypair.generate().publicKey, Keypair.generate().publicKey];
    const [first, second] = receivers.map((receiver) => versioned(owner, receiver, 2_500_000));
    assert(first !== undefined && second !== undefined);
    await signer.signAllTransactions([first, second], address, organizationId);
    for (const signed of [first, second]) chain.execute(signed);
    assert.deepEqual(receivers.map(balanceOf), [2_500_000n, 2_500_000n]);
  });
}

test('the earlier signature of another fee payer stays', async () => {
  const receiver = Keypair.generate().publicKey;
  const transaction = versioned(chain.payer.publicKey, receiver, 4_000_000);
  transaction.sign([chain.payer]);
  const before = balanceOf(owner);
  const signed = await signers['by @turnkey/http'].signTransaction(transaction, address);
  assert(signed instanceof VersionedTransaction);
  assert.deepEqual(signed.signatures[0], transaction.signatures[0]);
  chain.execute(signed);
  assert.equal(balanceOf(receiver), 4_000_000n);
  assert.equal(balanceOf(owner), before - 4_000_000n);
});

test('a version 1 transaction of kit moves SOL', async () => {
  const receiver = Keypair.generate().publicKey;
  const priorityFeeLamports = 700n;
  const limits = { computeUnitLimit: 5000, loadedAccountsDataSizeLimit: 65_536, heapSize: 65_536 };
  const message = pipe(
    createTransactionMessage({ version: 1 }),
    (empty) => setTransactionMessageFeePayer(kitAddress(address), empty),
    (paid) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: chain.recentBlockhash() as Blockhash, lastValidBlockHeight: 1000n },
        paid,
      ),
    (lasting) => setTransactionMessageConfig({ priorityFeeLamports, ...limits }, lasting),
    (configured) =>
      appendTransactionMessageInstruction(kitTransfer(receiver, 5_000_000), configured),
  );
  const unsigned = Buffer.from(getTransactionEncoder().encode(compileTransaction(message)));
  assert.equal(unsigned[0], 0x81);

  const signed = await signByHand(unsigned.toString('hex'));
  const { signatures } = getTransactionDecoder().decode(signed);
  assert.equal(signatures[kitAddress(address)]?.length, 64);
  const before = balanceOf(owner);
  chain.executeBytes(signed);
  assert.equal(balanceOf(receiver), 5_000_000n);
  assert.equal(balanceOf(owner), before - 5_000_000n - 5_000n - priorityFeeLamports);
});

test('@solana/keychain-turnkey moves SOL with only a configuration', async () => {
  const receiver = Keypair.generate().publicKey;
  const signer = new KeychainSigner({
    apiBaseUrl: service.baseUrl,
    ...service.credentials,
    privateKeyId: address,
    publicKey: address,
  });
  assert(await signer.isAvailable());
  const own = kitAddress(address);
  const content = new TextEncoder().encode('hello');
  const [byMessage] = await signer.signMessages([{ content, signatures: {} }]);
  const key = await getPublicKeyFromAddress(own);
  const signature = byMessage?.[own] ?? assert.fail('no signature of the account');
  assert(await verifySignature(key, signature, content));

  const unsigned = getTransactionDecoder().decode(
    versioned(owner, receiver, 6_000_000).serialize(),
  );
  // Its type lacks the size and the lifetime, which are in the bytes.
  type Given = Parameters<typeof signer.signTransactions>[0][number];
  const [signatures] = await signer.signTransactions([unsigned as Given]);
  const signed = { ...unsigned, signatures: { ...unsigned.signatures, ...signatures } };
  chain.executeBytes(Uint8Array.from(getTransactionEncoder().encode(signed)));
  assert.equal(balanceOf(receiver), 6_000_000n);
});

test('a transaction that the chain would reject is refused before a signature', async () => {
  const receiver = Keypair.generate().publicKey;
  const bytes = Buffer.from(versioned(owner, receiver, 1).serialize());
  const longer = Buffer.concat([bytes, Buffer.of(0)]).toString('hex');
  await assert.rejects(
    signByHand(longer),
    /failed to parse transaction.*message: expected the end behind it, got 1 more bytes/,
  );
  const other = Buffer.from(
    versioned(chain.payer.publicKey, receiver, 1, chain.payer.publicKey).serialize(),
  );
  await assert.rejects(signByHand(other.toString('hex')), /account_keys: expected the account/);
});

/** The steps of `@turnkey/solana` for the versions of web3.js. */
async function signByHand(unsignedTransaction: string): Promise<Uint8Array> {
  const { activity } = await httpClient(service).signTransaction({
    type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
    organizationId,
    timestampMs: timestampMs(),
    parameters: { signWith: address, unsignedTransaction, type: 'TRANSACTION_TYPE_SOLANA' },
  });
  const { signedTransaction } = activity.result.signTransactionResult ?? {};
  assert(signedTransaction !== undefined);
  return Uint8Array.fromHex(signedTransaction);
}

function transferFrom(from: PublicKey, to: PublicKey, lamports: number) {
  return SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports });
}

/** Builds the same for kit, whose package of the system program is too large for one instruction. */
function kitTransfer(to: PublicKey, lamports: number) {
  const { data } = transferFrom(owner, to, lamports);
  return {
    programAddress: kitAddress(SystemProgram.programId.toBase58()),
    accounts: [
      { address: kitAddress(address), role: 3 },
      { address: kitAddress(to.toBase58()), role: 1 },
    ],
    data: Uint8Array.from(data),
  };
}

function versioned(payer: PublicKey, to: PublicKey, lamports: number, from = owner) {
  const message = new TransactionMessage({
    payerKey: payer,
    recentBlockhash: chain.recentBlockhash(),
    instructions: [transferFrom(from, to, lamports)],
  });
  return new VersionedTransaction(message.compileToV0Message());
}

function tableOf(receiver: PublicKey) {
  const key = chain.putLookupTable([receiver]);
  const state = AddressLookupTableAccount.deserialize(
    chain.accountAt(key)?.data() ?? new Uint8Array(),
  );
  chain.produce();
  return new AddressLookupTableAccount({ key, state });
}

function balanceOf(key: PublicKey): bigint {
  return chain.accountAt(key)?.lamports() ?? 0n;
}
