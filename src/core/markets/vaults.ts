// Vaults for yield. Each adapter encodes the calls of one kind of vault. An ERC-4626 vault takes one token,
// and its shares are also a token.

import type { ContractRead } from '../balances/evm_questions.ts';
import type { StationCall } from '../sends/gas_station.ts';
import { allowanceOf, approvalOf, contractCall, contractRead } from './contract_call.ts';

/** The contracts of a vault and its token: lower-case hex with `0x`. */
export type VaultContracts = { readonly vault: string; readonly token: string };

/** The calls of a kind of vault. Amounts are in the smallest unit; an owner is lower-case hex with `0x`. */
type VaultAdapter = {
  readonly reads: {
    /** Reads the amount of tokens that the vault manages. */
    total(of: VaultContracts): ContractRead;
    shares(of: VaultContracts, owner: string): ContractRead;
    /** Reads the value of shares in tokens. */
    worth(of: VaultContracts, shares: bigint): ContractRead;
    /** Reads the amount of the owner's tokens that the vault may take. */
    allowance(of: VaultContracts, owner: string): ContractRead;
    /** Reads the number of shares for a deposit of tokens. */
    preview(of: VaultContracts, amount: bigint): ContractRead;
    /** Reads the vault's token, as a number. */
    token(of: VaultContracts): ContractRead;
  };
  approve(of: VaultContracts, amount: bigint): StationCall;
  deposit(of: VaultContracts, amount: bigint, owner: string): StationCall;
  /** Withdraws an amount of tokens to the owner. */
  withdraw(of: VaultContracts, amount: bigint, owner: string): StationCall;
  /** Redeems shares for tokens, paid to the owner. */
  redeem(of: VaultContracts, shares: bigint, owner: string): StationCall;
};

export const erc4626: VaultAdapter = {
  reads: {
    total: ({ vault }) => contractRead(vault, 'totalAssets()'),
    shares: ({ vault }, owner) => contractRead(vault, 'balanceOf(address)', [BigInt(owner)]),
    worth: ({ vault }, shares) => contractRead(vault, 'convertToAssets(uint256)', [shares]),
    allowance: ({ vault, token }, owner) => allowanceOf(token, owner, vault),
    preview: ({ vault }, amount) => contractRead(vault, 'previewDeposit(uint256)', [amount]),
    token: ({ vault }) => contractRead(vault, 'asset()'),
  },
  approve: ({ vault, token }, amount) => approvalOf(token, vault, amount),
  deposit: ({ vault }, amount, owner) =>
    contractCall(vault, 'deposit(uint256,address)', [amount, BigInt(owner)]),
  withdraw: ({ vault }, amount, owner) =>
    contractCall(vault, 'withdraw(uint256,address,address)', [
      amount,
      BigInt(owner),
      BigInt(owner),
    ]),
  redeem: ({ vault }, shares, owner) =>
    contractCall(vault, 'redeem(uint256,address,address)', [shares, BigInt(owner), BigInt(owner)]),
};
