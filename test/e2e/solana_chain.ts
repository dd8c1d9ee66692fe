// A Solana chain for the tests of one file. Transactions run in a real virtual machine with the real system
// and token programs. The test decides on slots, forks and finality.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { base58 } from '@scure/base';
import {
  Keypair,
  PublicKey,
  type Transaction,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { tokenPrograms } from './solana_tokens.ts';

type Account = { lamports(): bigint; data(): Uint8Array; owner(): Uint8Array };
type Machine = {
  toBytes(): Uint8Array;
  latestBlockhash(): string;
  expireBlockhash(): void;
  airdrop(key: Uint8Array, lamports: bigint): object | null;
  getAccount(key: Uint8Array): Account | null;
  getProgramAccounts(program: Uint8Array): readonly { address: Uint8Array; account(): Account }[];
  setAccount(key: Uint8Array, account: Account): void;
  sendLegacyTransaction(bytes: Uint8Array): object;
  sendVersionedTransaction(bytes: Uint8Array): object;
  simulateVersionedTransaction(bytes: Uint8Array): object;
  setSigverify(verifies: boolean): void;
};

/** The native code of the package, the only part that the tests need. */
const { LiteSvm, Account: AccountOf } = createRequire(import.meta.url)('litesvm-linux-x64-gnu') as {
  LiteSvm: { new (): Machine; fromBytes(bytes: Uint8Array): Machine };
  Account: new (
    lamports: bigint,
    data: Uint8Array,
    owner: Uint8Array,
    executable: boolean,
    rentEpoch: bigint,
  ) => Account;
};

/** A transaction in the form of JSON-RPC with `transactionDetails: accounts`. */
type Executed = { readonly transaction: object; readonly meta: object; readonly version: unknown };

/** A transaction in a block, found by its first signature. */
export type Landed = {
  readonly signature: string;
  readonly bytes: Uint8Array;
  readonly err: unknown;
  readonly logs: readonly string[];
};

export type SolanaBlock = {
  readonly slot: number;
  readonly height: number;
  readonly landed: readonly Landed[];
  readonly hash: string;
  readonly parent: SolanaBlock | undefined;
  readonly timeSeconds: number;
  readonly transactions: readonly Executed[];
  /** The virtual machine after the block. */
  readonly after: Uint8Array;
};

export type SolanaChain = ReturnType<typeof createSolanaChain>;

const lookupTableProgram = new PublicKey('AddressLookupTab1e1111111111111111111111111');

export type Failure = Pick<Landed, 'err' | 'logs'>;

/** Errors of transactions that no block accepts, by number. */
const fieldless: ReadonlyMap<unknown, string> = new Map([
  [6, 'AlreadyProcessed'],
  [7, 'BlockhashNotFound'],
]);

type MachineFailure = {
  err(): number | { readonly index: number; err(): number | { readonly code: number } };
  meta(): { logs(): readonly string[] };
};

/** The failure of a transaction in the form of JSON-RPC; a text if no block accepts it. */
function failureOf(outcome: object): Failure {
  if (!('err' in outcome)) return { err: null, logs: [] };
  const failed = outcome as MachineFailure;
  const [err, logs] = [failed.err(), failed.meta().logs()];
  if (typeof err === 'number') return { err: fieldless.get(err) ?? `Error${err}`, logs };
  const inner = err.err();
  const named = typeof inner === 'number' ? 'GenericError' : { Custom: inner.code };
  return { err: { InstructionError: [err.index, named] }, logs };
}

/** Returns the first signature, which is before the message, or after it in version 1. */
function signatureOf(bytes: Uint8Array): string {
  const start = bytes[0] === 0x81 ? bytes.length - 64 * (bytes[1] ?? 0) : 1;
  return base58.encode(bytes.slice(start, start + 64));
}

/** Creates a chain with coins for `payer`. Its genesis hash determines its name. */
export function createSolanaChain() {
  const genesisHash = base58.encode(randomBytes(32));
  const payer = Keypair.generate();
  let machine: Machine = new LiteSvm();
  machine.airdrop(payer.publicKey.toBytes(), 10n ** 12n);
  let blocks: SolanaBlock[] = [];
  let pending: Executed[] = [];
  let landed: Landed[] = [];
  /** The transactions of nodes that are in no block yet. */
  let pool: Uint8Array[] = [];
  let [slot, height] = [0, 0];
  let finalSlot = 0;

  const accountAt = (key: PublicKey) => machine.getAccount(key.toBytes());

  function holdingsOf(keys: readonly PublicKey[]) {
    return keys.flatMap((key, accountIndex) => {
      const account = accountAt(key);
      const programId = account === null ? '' : base58.encode(account.owner());
      if (account === null || !tokenPrograms.includes(programId)) return [];
      const data = Buffer.from(account.data());
      if (data.length < 165) return [];
      const amount = String(data.readBigUInt64LE(64));
      const mint = base58.encode(data.subarray(0, 32));
      const owner = base58.encode(data.subarray(32, 64));
      return [{ accountIndex, mint, owner, programId, uiTokenAmount: { amount, decimals: 6 } }];
    });
  }

  /** Runs a signed transaction in the current block, and returns its signature. */
  function execute(signed: Transaction | VersionedTransaction): string {
    const bytes = Uint8Array.from(signed.serialize());
    const { message } = VersionedTransaction.deserialize(bytes);
    const own = message.staticAccountKeys;
    const looked = message.addressTableLookups.flatMap(
      ({ accountKey, writableIndexes, readonlyIndexes }) => {
        const data = Buffer.from(accountAt(accountKey)?.data() ?? []);
        return [...writableIndexes, ...readonlyIndexes].map(
          (i) => new PublicKey(data.subarray(56 + 32 * i, 88 + 32 * i)),
        );
      },
    );
    const keys = [...own, ...looked];
    const lamports = () => keys.map((key) => Number(accountAt(key)?.lamports() ?? 0n));
    const [preBalances, preTokenBalances] = [lamports(), holdingsOf(keys)];
    const outcome =
      message.version === 'legacy'
        ? machine.sendLegacyTransaction(bytes)
        : machine.sendVersionedTransaction(bytes);
    const postBalances = lamports();
    const sum = (amounts: readonly number[]) => amounts.reduce((all, each) => all + each, 0);
    const signatures = VersionedTransaction.deserialize(bytes).signatures.map((each) =>
      base58.encode(each),
    );
    const [, stated] = /\bfee: (\d+)/.exec(String(outcome)) ?? [];
    const fee = Number(stated ?? 5000 * signatures.length);
    assert.equal(sum(preBalances) - sum(postBalances), fee, String(outcome));
    landed.push({ signature: signatures[0] ?? '', bytes, ...failureOf(outcome) });
    pending.push({
      transaction: {
        signatures,
        accountKeys: keys.map((key, i) => ({
          pubkey: key.toBase58(),
          source: i < own.length ? 'transaction' : 'lookupTable',
          signer: message.isAccountSigner(i),
          writable: message.isAccountWritable(i),
        })),
      },
      meta: {
        err: failureOf(outcome).err,
        fee,
        preBalances,
        postBalances,
        preTokenBalances,
        postTokenBalances: holdingsOf(keys),
      },
      version: message.version,
    });
    return signatures[0] ?? '';
  }

  /** Simulates a transaction, signed or not. */
  function simulate(bytes: Uint8Array): Failure {
    const copy = LiteSvm.fromBytes(machine.toBytes());
    copy.setSigverify(false);
    return failureOf(copy.simulateVersionedTransaction(bytes));
  }

  /** Runs the transactions of the nodes, and drops those that no block accepts. */
  function takePool(): void {
    const waiting = pool;
    pool = [];
    for (const bytes of waiting) {
      const { err } = failureOf(machine.simulateVersionedTransaction(bytes));
      if (typeof err === 'string') continue;
      if (bytes[0] !== 0x81) execute(VersionedTransaction.deserialize(bytes));
      else {
        const outcome = machine.sendVersionedTransaction(bytes);
        landed.push({ signature: signatureOf(bytes), bytes, ...failureOf(outcome) });
      }
    }
  }

  /** Ends the current block at a distance in slots and blocks from the previous one. */
  function produce(slots = 1, heights = 1): SolanaBlock {
    takePool();
    slot += slots;
    height += heights;
    machine.expireBlockhash();
    const block: SolanaBlock = {
      slot,
      height,
      landed,
      hash: base58.encode(randomBytes(32)),
      parent: blocks.at(-1),
      timeSeconds: 1_800_000_000 + slot,
      transactions: pending,
      after: machine.toBytes(),
    };
    blocks = [...blocks, block];
    pending = [];
    landed = [];
    return block;
  }
  for (let i = 0; i < 3; i += 1) produce();

  return {
    genesisHash,
    caip2: `solana:${genesisHash.slice(0, 32)}`,
    payer,
    blocks: (): readonly SolanaBlock[] => blocks,
    finalSlot: () => finalSlot,
    accountAt,
    accountsOf: (programId: string) =>
      machine.getProgramAccounts(base58.decode(programId)).map((each) => ({
        pubkey: base58.encode(each.address),
        data: Buffer.from(each.account().data()),
      })),
    recentBlockhash: () => machine.latestBlockhash(),
    simulate,
    /** Accepts a transaction for the next block, and returns its first signature. */
    accept: (bytes: Uint8Array): string => {
      if (!pool.some((each) => Buffer.from(each).equals(bytes))) pool.push(bytes);
      return signatureOf(bytes);
    },
    /** Returns the number of transactions for the next block. */
    waiting: () => pool.length,
    /** Removes the transactions outside of blocks, and returns them. */
    emptyPool: (): readonly Uint8Array[] => {
      const forgotten = pool;
      pool = [];
      return forgotten;
    },
    /** Creates a lookup table of addresses. */
    putLookupTable: (addresses: readonly PublicKey[]): PublicKey => {
      const key = Keypair.generate().publicKey;
      const header = Buffer.alloc(56);
      header.writeUInt32LE(1);
      header.writeBigUInt64LE(2n ** 64n - 1n, 4);
      const data = Buffer.concat([header, ...addresses.map((each) => each.toBytes())]);
      const account = new AccountOf(10n ** 9n, data, lookupTableProgram.toBytes(), false, 0n);
      machine.setAccount(key.toBytes(), account);
      return key;
    },
    execute,
    /** Runs a signed transaction of any version outside of blocks. Throws if the machine rejects it. */
    executeBytes: (bytes: Uint8Array): void => {
      const outcome = machine.sendVersionedTransaction(bytes);
      assert.equal('err' in outcome, false, String(outcome));
    },
    /** Signs a transaction with the payer and others, and runs it. */
    send: (instructions: readonly TransactionInstruction[], ...others: readonly Keypair[]) => {
      const message = new TransactionMessage({
        payerKey: payer.publicKey,
        recentBlockhash: machine.latestBlockhash(),
        instructions: [...instructions],
      });
      const transaction = new VersionedTransaction(message.compileToLegacyMessage());
      transaction.sign([payer, ...others]);
      return execute(transaction);
    },
    produce,
    /** Drops the newest blocks with their effects. Their slots stay empty. */
    drop: (count: number) => {
      blocks = blocks.slice(0, -count);
      const last = blocks.at(-1);
      assert(last !== undefined && last.slot >= finalSlot, 'what is final is not dropped');
      machine = LiteSvm.fromBytes(last.after);
      [pending, landed, height] = [[], [], last.height];
    },
    /** Makes all blocks final, or those up to a slot. */
    finalize: (upTo = slot) => {
      finalSlot = upTo;
    },
  };
}
