// Instructions of the token programs, with the numbers of their interface.

import { type Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';

export const token = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const token2022 = new PublicKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
export const tokenPrograms: readonly string[] = [token.toBase58(), token2022.toBase58()];

const mintBytes = 82;
const accountBytes = 165;
const lamports = 5_000_000;

const instruction = (
  programId: PublicKey,
  data: readonly number[],
  keys: readonly [key: PublicKey, is: 'writable' | 'signer' | 'readonly'][],
) =>
  new TransactionInstruction({
    programId,
    data: Buffer.from(data),
    keys: keys.map(([pubkey, is]) => ({
      pubkey,
      isSigner: is === 'signer',
      isWritable: is === 'writable',
    })),
  });

const u64 = (amount: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(amount);
  return [...bytes];
};

const created = (programId: PublicKey, payer: PublicKey, newAccount: Keypair, space: number) =>
  SystemProgram.createAccount({
    fromPubkey: payer,
    newAccountPubkey: newAccount.publicKey,
    space,
    lamports,
    programId,
  });

/** Creates a mint with 6 decimals. */
export const newMint = (programId: PublicKey, payer: PublicKey, mint: Keypair) => [
  created(programId, payer, mint, mintBytes),
  instruction(programId, [20, 6, ...payer.toBytes(), 0], [[mint.publicKey, 'writable']]),
];

/** Creates an account of an owner for a mint. */
export const newTokenAccount = (
  programId: PublicKey,
  payer: PublicKey,
  account: Keypair,
  { mint, owner }: { readonly mint: PublicKey; readonly owner: PublicKey },
) => [
  created(programId, payer, account, accountBytes),
  instruction(
    programId,
    [18, ...owner.toBytes()],
    [
      [account.publicKey, 'writable'],
      [mint, 'readonly'],
    ],
  ),
];

export const mintTo = (
  programId: PublicKey,
  mint: PublicKey,
  account: PublicKey,
  authority: PublicKey,
  amount: bigint,
) =>
  instruction(
    programId,
    [7, ...u64(amount)],
    [
      [mint, 'writable'],
      [account, 'writable'],
      [authority, 'signer'],
    ],
  );

export const transferTokens = (
  programId: PublicKey,
  from: PublicKey,
  to: PublicKey,
  owner: PublicKey,
  amount: bigint,
) =>
  instruction(
    programId,
    [3, ...u64(amount)],
    [
      [from, 'writable'],
      [to, 'writable'],
      [owner, 'signer'],
    ],
  );
