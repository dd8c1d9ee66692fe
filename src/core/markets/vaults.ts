// Vaults for yields. An adapter knows the calls of one kind of vault. The service serves ERC-4626: such a
// vault takes one token, and its shares are a token themselves.

import type { ContractRead } from '../balances/evm_questions.ts';
import type { StationCall } from '../sends/gas_station.ts';
import { allowanceOf, approvalOf, contractCall, contractRead } from './contract_call.ts';

/** A vault and its token by their contracts: lower-case hex with `0x`. */
export type VaultContracts = { readonly vault: string; readonly token: string };

/** The calls of a kind of vault. Amounts are in the smallest unit; an owner is lower-case hex with `0x`. */
type VaultAdapter = {
  readonly reads: {
    /** Tokens that the vault manages. */
    total(of: VaultContracts): ContractRead;
    shares(of: VaultContracts, owner: string): ContractRead;
    /** Tokens that shares are worth. */
    worth(of: VaultContracts, shares: bigint): ContractRead;
    /** Tokens of the owner that the vault may take. */
    allowance(of: VaultContracts, owner: string): ContractRead;
    /** Shares that a deposit of tokens gives. */
    preview(of: VaultContracts, amount: bigint): ContractRead;
    /** The token that the vault takes, as a number. */
    token(of: VaultContracts): ContractRead;
  };
  approve(of: VaultContracts, amount: bigint): StationCall;
  deposit(of: VaultContracts, amount: bigint, owner: string): StationCall;
  /** Takes an amount of tokens out, to the owner. */
  withdraw(of: VaultContracts, amount: bigint, owner: string): StationCall;
  /** Takes the tokens of shares out, to the owner. */
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
