// Explains typed data of a user operation (ERC-4337). The signature alone lets bundlers execute it.

import { eip55 } from '../../address/ethereum.ts';
import { hex } from '../../base/bytes.ts';
import type { Effect, Warning } from '../../organization/records/transaction_explanation.ts';
import { domainFacts, type TypedData } from '../../payload/eip712.ts';
import { effectsOfAccount } from './inner_effects.ts';
import { coinText, onChain } from './known_chains.ts';
import { anyChainWarnings, type ExplainedPermit } from './permit_explanation.ts';
import { typeWarnings } from './standard_types.ts';
import { type Members, membersOf } from './typed_members.ts';

/** Reads a user operation; undefined for other typed data. */
export function readUserOperation(data: TypedData) {
  const { verifyingContract } = domainFacts(data);
  if (data.primaryType !== 'PackedUserOperation' || verifyingContract === undefined)
    return undefined;
  const message = membersOf(data.message);
  const [sender, call] = [message.bytesOfAddress('sender'), message.bytes('callData')];
  const [nonce, initCode] = [message.number('nonce'), message.bytes('initCode')];
  const isWhole = sender !== undefined && call !== undefined && nonce !== undefined;
  if (!isWhole || initCode === undefined) return undefined;
  return { sender, call, nonce, initCode, message, verifyingContract };
}

/** Returns the explanation of a user operation; undefined for other typed data. */
export function explainUserOperation(data: TypedData, signer: string): ExplainedPermit | undefined {
  const { chainId } = domainFacts(data);
  const found = readUserOperation(data);
  if (found === undefined) return undefined;
  const { sender, call, nonce, initCode, message, verifyingContract } = found;
  const [account, entryPoint] = [sender, verifyingContract].map((bytes) => eip55(hex(bytes)));
  const { effects, warnings } = effectsOfAccount({ to: sender, data: call }, { chainId });
  const created: readonly Effect[] =
    initCode.length === 0
      ? []
      : [{ kind: 'CONTRACT_CREATION', text: `Creates the code of the account ${account} first.` }];
  return {
    summary: `${signer} approves the user operation ${nonce} of ${account} ${onChain(chainId)}, by a signature alone.`,
    effects: [...created, ...effects],
    warnings: [
      ...warnings,
      ...creationWarnings(initCode, `${account}`),
      ...feeWarnings(message, `${account}`, chainId),
      ...typeWarnings(data, `${entryPoint}`),
      ...anyChainWarnings(chainId),
    ],
  };
}

/** The start of an `initCode` that calls the account itself, whose code is set by EIP-7702. */
const ownMarker = `7702${'0'.repeat(36)}`;
const addressBytes = 20;

/** Returns the called address of an `initCode`. The entry point completes it by zeros. */
const factoryOf = (initCode: Uint8Array): string =>
  hex(initCode.subarray(0, addressBytes)).padEnd(2 * addressBytes, '0');

/** Returns true if the entry point first calls the account itself with data that may name other owners. */
export const setsUpItself = (initCode: Uint8Array): boolean =>
  initCode.length > addressBytes && factoryOf(initCode) === ownMarker;

/** Warns of the call that creates or sets up the account: its data may name other owners. */
function creationWarnings(initCode: Uint8Array, account: string): readonly Warning[] {
  if (initCode.length === 0) return [];
  const factory = factoryOf(initCode);
  const size = Math.max(0, initCode.length - addressBytes);
  if (factory === ownMarker && size === 0) return [];
  const called = factory === ownMarker ? account : `The factory ${eip55(factory)}`;
  const text = `${called} is first called with ${size} bytes of data that set up the account. Their effect is unknown.`;
  return [{ code: 'UNREADABLE_CALL_DATA', text }];
}

/** Returns a warning with the maximum fee. A paymaster may pay it, and be paid in a token. */
function feeWarnings(
  message: Members,
  account: string,
  chainId: bigint | undefined,
): readonly Warning[] {
  const [limits, fees] = [message.bytes('accountGasLimits'), message.bytes('gasFees')];
  const before = message.number('preVerificationGas') ?? 0n;
  const paymaster = message.bytes('paymasterAndData') ?? new Uint8Array(0);
  if (limits?.length !== 32 || fees?.length !== 32) return [];
  if (paymaster.length > 0) {
    const payer = eip55(hex(paymaster.subarray(0, 20)).padEnd(40, '0'));
    const text = `${payer} pays the fee, and may take tokens of ${account} for it.`;
    return [{ code: 'FEE_PAYER_IS_ANOTHER', text }];
  }
  const fee = (before + half(limits, 0) + half(limits, 16)) * half(fees, 16);
  if (fee < highFee) return [];
  const text = `The fee may be as high as ${coinText(fee, chainId)}.`;
  return [{ code: 'HIGH_FEE', text }];
}

/** 0.1 coins. */
const highFee = 10n ** 17n;

/** Returns one of the two numbers of 16 bytes that a word packs. */
const half = (word: Uint8Array, at: number): bigint =>
  BigInt(`0x${hex(word.subarray(at, at + 16))}`);
