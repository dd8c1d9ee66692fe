// Formats values for descriptions. A value that does not fit its format stays raw.

import { eip55 } from '../../address/ethereum.ts';
import { amountText } from '../../balances/amount_text.ts';
import type { FieldFormat, FieldSource } from '../../contracts/description_fields.ts';
import { coinText, onChain } from '../ethereum/known_chains.ts';
import { knownToken, tokenAmountText, tokenName } from '../ethereum/known_tokens.ts';
import { instantText } from '../text/instant_text.ts';
import { shownText } from '../text/shown_text.ts';
import { rawText, type SignedValue } from './values.ts';

/** Facts about the call or the typed data that formats need. */
export type FormatContext = {
  readonly chainId: bigint;
  /** The contract's address in EIP-55. */
  readonly contract: string;
  /** The contract's token, as the description names it. */
  readonly token: { readonly ticker: string; readonly decimals: number } | undefined;
  /** Returns the organization's name for an address. */
  readonly nameOf: (address: string) => string | undefined;
};

/** Returns the text of a value; undefined if the value does not fit the format. */
export function formattedText(
  value: SignedValue,
  format: FieldFormat,
  /** The value of the parameter that names a token, a collection or a contract. */
  parameter: SignedValue | undefined,
  context: FormatContext,
): string | undefined {
  const { chainId } = context;
  switch (format.kind) {
    case 'raw':
      return rawText(value);
    case 'addressName':
      return addressText(value, format.senderAddresses, context);
    case 'tokenTicker': {
      const address = addressOf(value);
      return address && `${tokenName(chainId, address)} (${address})`;
    }
    case 'enum':
      return enumText(value, format.titles);
    case 'calldata': {
      if (value.kind !== 'bytes') return undefined;
      const callee = parameter && addressOf(parameter);
      const selector = value.hex.length < 10 ? '' : `, selector ${value.hex.slice(0, 10)}`;
      const bytes = `${(value.hex.length - 2) / 2} bytes of call data${selector}`;
      const receiver = callee === undefined ? '' : `, for ${stated(callee, format.callee)}`;
      // A description may call any bytes so, for example the receiver of a bridge.
      return `${bytes}${receiver}: ${rawText(value)}`;
    }
    default: {
      const number = integerOf(value);
      return number === undefined ? undefined : numberText(number, format, parameter, context);
    }
  }
}

function numberText(
  number: bigint,
  format: Exclude<
    FieldFormat,
    { kind: 'raw' | 'addressName' | 'tokenTicker' | 'enum' | 'calldata' }
  >,
  parameter: SignedValue | undefined,
  context: FormatContext,
): string | undefined {
  const { chainId } = context;
  switch (format.kind) {
    case 'amount':
      return number < 0n ? undefined : coinText(number, chainId);
    case 'tokenAmount': {
      const text = number < 0n ? undefined : tokenText(number, format, parameter, context);
      return text && stated(text, format.token);
    }
    case 'nftName': {
      const collection = parameter && addressOf(parameter);
      return (
        collection && stated(`token ${number} of the collection ${collection}`, format.collection)
      );
    }
    case 'date':
      if (format.encoding === 'blockheight') return `block ${number}`;
      return number < 0n ? undefined : instantText(number * 1000n);
    case 'duration':
      return number < 0n ? undefined : durationText(number);
    case 'unit': {
      if (number < 0n) return undefined;
      const text =
        `${amountText(String(number), format.decimals)} ${shownText(format.base)}`.trim();
      return format.decimals === 0 ? text : `${text}, by the description: ${number}`;
    }
    case 'chainId':
      return onChain(number).replace(/^on /, '');
  }
}

/** Marks a text that depends on a constant of the file. The signed data may be about another token. */
const stated = (text: string, source: FieldSource | undefined): string =>
  source?.kind === 'constant' ? `${text}, by the description` : text;

function tokenText(
  amount: bigint,
  {
    nativeAddresses,
    threshold,
    message,
  }: Pick<
    Extract<FieldFormat, { kind: 'tokenAmount' }>,
    'nativeAddresses' | 'threshold' | 'message'
  >,
  parameter: SignedValue | undefined,
  { chainId, contract, token }: FormatContext,
): string | undefined {
  const address = parameter && addressOf(parameter);
  if (address === undefined) return undefined;
  const isKnown = knownToken(chainId, address) !== undefined;
  if (!isKnown && nativeAddresses.includes(address.toLowerCase())) return coinText(amount, chainId);
  const named = address === contract && !isKnown && token !== undefined;
  const text = named
    ? `${amountText(String(amount), token.decimals)} ${shownText(token.ticker)}, by the description: ${amount} of the smallest unit`
    : tokenAmountText(amount, { chainId, contract: address });
  // The message of the threshold replaces the amount, so the amount is added.
  const isAbove = threshold !== undefined && amount >= threshold;
  return isAbove ? `${shownText(message)} (${text})` : text;
}

function enumText(value: SignedValue, titles: ReadonlyMap<string, string>): string | undefined {
  if (value.kind === 'list' || value.kind === 'struct') return undefined;
  const key = 'hex' in value ? value.hex : String(value.value);
  const title = titles.get(key.toLowerCase());
  return title === undefined ? undefined : `${shownText(title)} (${rawText(value)})`;
}

function addressText(
  value: SignedValue,
  senderAddresses: readonly string[],
  { nameOf }: FormatContext,
): string | undefined {
  const address = addressOf(value);
  if (address === undefined) return undefined;
  if (senderAddresses.includes(address.toLowerCase()))
    return `the sender, by the description (${address})`;
  const name = nameOf(address);
  return name === undefined ? address : `${shownText(name)} (${address})`;
}

function durationText(seconds: bigint): string {
  const [hours, rest] = [seconds / 3600n, seconds % 3600n];
  const two = (number: bigint) => String(number).padStart(2, '0');
  return `${two(hours)}:${two(rest / 60n)}:${two(rest % 60n)} hours`;
}

/** Returns an address in EIP-55; undefined for other values than 20 bytes. */
function addressOf(value: SignedValue): string | undefined {
  const isHex = value.kind === 'address' || value.kind === 'bytes';
  const text = isHex ? value.hex : value.kind === 'text' ? value.value : '';
  return /^0x[0-9a-fA-F]{40}$/.test(text) ? eip55(text.slice(2).toLowerCase()) : undefined;
}

/** Returns an integer; bytes are read as a big-endian number. */
function integerOf(value: SignedValue): bigint | undefined {
  if (value.kind === 'integer') return value.value;
  if (value.kind !== 'bytes' || value.hex.length > 66 || value.hex.length < 4) return undefined;
  return BigInt(value.hex);
}
