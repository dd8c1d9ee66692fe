// Explains signed payloads: messages, typed data, authorizations, and bytes without a standard meaning. The
// enclave, the page and the terminal show the same sentences.

import { hex } from '../base/bytes.ts';
import type {
  Effect,
  TransactionExplanation,
  Warning,
} from '../organization/records/transaction_explanation.ts';
import { domainFacts, readTypedData, type TypedData, typedDataHashes } from '../payload/eip712.ts';
import type { TypedValue } from '../payload/eip712_values.ts';
import { type Authorization, readAuthorization } from '../payload/eip7702.ts';
import { readHexadecimal } from '../payload/hexadecimal.ts';
import { readText } from '../payload/text_utf8.ts';
import { bytesText } from './calls/call_explanation.ts';
import type { Descriptions } from './described.ts';
import { describeTypedData } from './descriptions/describe.ts';
import { addressText, isZeroAddress } from './ethereum/call.ts';
import { delegationSentence, delegationWarning } from './ethereum/delegation_explanation.ts';
import { explainLending } from './ethereum/lending_explanation.ts';
import { anyChainWarnings, explainPermit } from './ethereum/permit_explanation.ts';
import { explainSafe } from './ethereum/safe_explanation.ts';
import { explainStation } from './ethereum/station_explanation.ts';
import { explainUserOperation } from './ethereum/user_operation.ts';
import { distinctWarnings } from './text/distinct_warnings.ts';
import { meaningOf } from './text/programmed_text.ts';
import { quotedText, shownText } from './text/shown_text.ts';
import {
  foreignHostOf,
  maximumExamined,
  readPrefixedText,
  type SignedText,
  signInOf,
  unusualIn,
} from './text/signed_text.ts';

/** The payloads in the parameters of a request. */
export type SignedPayloads = {
  /** The address or ID of the key. */
  readonly signWith: string;
  readonly payloads: readonly string[];
  readonly encoding: string;
  readonly hashFunction: string;
};

/** Typed data of payloads that was parsed before, since parsing and hashing thousands of values take long. */
type ReadBefore = readonly (TypedData | undefined)[];

/** Maximum numbers of explained payloads and of displayed characters of a text. */
const maximumPayloads = 20;
const maximumCharacters = 1_000;

/** Explains payloads. Raises the reader's error for a payload that does not match its encoding. */
export function explainPayloads(
  { signWith, payloads, encoding, hashFunction }: SignedPayloads,
  descriptions?: Descriptions,
  typedData: ReadBefore = [],
): TransactionExplanation {
  const asked = { signWith, encoding, hashFunction, descriptions };
  const explained = payloads
    .slice(0, maximumPayloads)
    .map((payload, i) => explainPayload(payload, asked, typedData[i]));
  const [only] = explained;
  if (only !== undefined && payloads.length === 1) return only;
  const left = payloads.length - explained.length;
  const rest: readonly Effect[] =
    left === 0 ? [] : [{ kind: 'DATA', text: `Signs ${left} more payloads, not shown here.` }];
  const hidden = `${left} of the signed payloads ${left === 1 ? 'is' : 'are'} not shown here.`;
  const unseen: readonly Warning[] = left === 0 ? [] : [{ code: 'UNKNOWN_PAYLOAD', text: hidden }];
  return {
    summary: `${shownText(signWith)} signs ${payloads.length} payloads.`,
    effects: [
      ...explained.flatMap(({ summary, effects }, i) => [
        { kind: 'DATA' as const, text: `${i + 1}. ${summary}` },
        ...effects,
      ]),
      ...rest,
    ],
    warnings: distinctWarnings([...unseen, ...explained.flatMap((each) => each.warnings)]),
  };
}

/**
 * Returns the CAIP-2 name of the chain in a single typed data payload; `eip155` for typed data without a
 * chain, and undefined for other payloads.
 */
export function chainOfPayload({ payloads, encoding }: SignedPayloads): string | undefined {
  const [payload = '', ...more] = payloads;
  if (encoding !== 'PAYLOAD_ENCODING_EIP712' || more.length > 0) return undefined;
  const { chainId } = domainFacts(readTypedData(payload, 'payload'));
  return chainId === undefined ? 'eip155' : `eip155:${chainId}`;
}

type ExplainedPayload = Omit<SignedPayloads, 'payloads'> & {
  readonly descriptions: Descriptions | undefined;
};

/** Returns the readable texts of payloads; undefined for a payload that is not text. */
export function signedTexts({
  payloads,
  encoding,
  hashFunction,
}: SignedPayloads): readonly (string | undefined)[] {
  return payloads.slice(0, maximumPayloads).map((payload) => {
    const isText = encoding === 'PAYLOAD_ENCODING_TEXT_UTF8';
    if (!isText && encoding !== 'PAYLOAD_ENCODING_HEXADECIMAL') return undefined;
    if (hashFunction === 'HASH_FUNCTION_NO_OP') return undefined;
    const bytes = isText ? readText(payload, 'payload') : readHexadecimal(payload, 'payload');
    return signedTextOf(bytes, isText ? payload : undefined, hashFunction)?.text;
  });
}

function explainPayload(
  payload: string,
  asked: ExplainedPayload,
  typedData: TypedData | undefined,
): TransactionExplanation {
  const { signWith, encoding } = asked;
  switch (encoding) {
    case 'PAYLOAD_ENCODING_EIP712':
      return explainTypedData(typedData ?? readTypedData(payload, 'payload'), asked);
    case 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION':
      return explainAuthorization(readAuthorization(payload, 'payload'), signWith);
    case 'PAYLOAD_ENCODING_TEXT_UTF8':
      return explainBytes(readText(payload, 'payload'), payload, asked);
    default:
      return explainBytes(readHexadecimal(payload, 'payload'), undefined, asked);
  }
}

function explainBytes(
  bytes: Uint8Array,
  text: string | undefined,
  asked: ExplainedPayload,
): TransactionExplanation {
  const { signWith, hashFunction } = asked;
  const who = shownText(signWith);
  if (hashFunction === 'HASH_FUNCTION_NO_OP') {
    const summary = `${who} signs the hash 0x${hex(bytes).slice(0, 64)}.`;
    const warning = 'The request has only a hash, which does not show what is signed.';
    return { summary, effects: [], warnings: [{ code: 'HASH_ONLY', text: warning }] };
  }
  const signed = signedTextOf(bytes, text, hashFunction);
  if (signed === undefined) {
    const summary = `${who} signs ${bytesText(bytes)} without a standard meaning.`;
    const unknown = 'The bytes may be anything, including a transaction.';
    return { summary, effects: [], warnings: [{ code: 'UNKNOWN_PAYLOAD', text: unknown }] };
  }
  return explainText(signed, asked);
}

/**
 * Returns the readable text in signed bytes: the text after the prefix of its chain, or the readable bytes of
 * an Ed25519 account.
 */
function signedTextOf(
  bytes: Uint8Array,
  text: string | undefined,
  hashFunction: string,
): SignedText | undefined {
  if (hashFunction === 'HASH_FUNCTION_KECCAK256') {
    const prefixed = readPrefixedText(bytes);
    if (prefixed !== undefined) return prefixed;
  }
  if (text !== undefined) return { standard: undefined, text, bytes };
  if (hashFunction !== 'HASH_FUNCTION_NOT_APPLICABLE' || bytes.length === 0) return undefined;
  const read = readableText(bytes);
  return read === undefined ? undefined : { standard: undefined, text: read, bytes };
}

/** Returns readable text; undefined with control characters, as in transactions of Ed25519 chains. */
function readableText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return /[^\P{Cc}\t\n\r]/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function explainText(
  signed: SignedText,
  { signWith, hashFunction }: ExplainedPayload,
): TransactionExplanation {
  const { standard, text, bytes } = signed;
  const who = shownText(signWith);
  const rule = standard === undefined ? '' : ` (${standard})`;
  if (text === undefined) {
    const isHash = bytes.length === 32;
    return {
      summary: `${who} signs a message of ${bytesText(bytes)} that is not text${rule}.`,
      effects: [{ kind: 'MESSAGE', text: `Its bytes: 0x${hex(bytes.subarray(0, 512))}` }],
      warnings: [
        isHash
          ? {
              code: 'HASH_ONLY',
              text: 'The message has 32 bytes, like a hash, and does not show what is agreed to.',
            }
          : {
              code: 'UNKNOWN_PAYLOAD',
              text: 'The message is not text. Only its application knows its meaning.',
            },
      ],
    };
  }
  // Counting the characters of megabytes takes too long.
  const characters = text.length > maximumExamined ? undefined : [...text].length;
  const length = lengthText(characters, bytes);
  const signIn = signInOf(text);
  const summary =
    signIn === undefined
      ? `${who} signs a message of ${length}${rule}.`
      : `${who} signs in to ${shownText(signIn.site)}${rule}.`;
  const cut = characters === undefined ? undefined : characters - maximumCharacters;
  const warnings: Warning[] = unusualIn(text).map((each) => ({ code: 'UNUSUAL_TEXT', text: each }));
  if (standard === undefined && hashFunction !== 'HASH_FUNCTION_NOT_APPLICABLE') {
    // Chains hash transactions alike, and some transactions are valid UTF-8.
    const unprefixed =
      'The text has no prefix of a chain, so the signature may also be valid for a transaction.';
    warnings.unshift({ code: 'UNKNOWN_PAYLOAD', text: unprefixed });
  }
  if (cut === undefined || cut > 0) {
    const more = cut === undefined ? 'Most' : `${cut} more`;
    const hidden = `${more} characters of the message are not shown here.`;
    warnings.push({ code: 'UNUSUAL_TEXT', text: hidden });
  }
  if (hashFunction === 'HASH_FUNCTION_NOT_APPLICABLE' && bytes.length === 32) {
    // Hashes that are readable can be searched for.
    const like =
      'The message has 32 bytes, like the hash of a transaction, which some chains sign.';
    warnings.push({ code: 'HASH_ONLY', text: like });
  }
  if (signIn?.uriHost !== undefined && signIn.uriHost !== signIn.site.toLowerCase()) {
    const [site, host] = [signIn.site, signIn.uriHost].map((each) => shownText(each));
    const elsewhere = `The message signs in to ${site}, but its address is at ${host}.`;
    warnings.push({ code: 'UNUSUAL_TEXT', text: elsewhere });
  }
  const written = signIn === undefined ? undefined : foreignHostOf(signIn.site);
  if (written !== undefined) {
    const letters = `The name of the site has letters that may look like others. In ASCII it is ${written}.`;
    warnings.push({ code: 'UNUSUAL_TEXT', text: letters });
  }
  if (signIn !== undefined && isOther(signIn.account, signWith)) {
    const other = `The message signs in as ${signIn.account}, which is not the account that signs.`;
    warnings.push({ code: 'OWNER_IS_ANOTHER', text: other });
  }
  const meaning = meaningOf(text);
  warnings.unshift(...meaning.warnings);
  if (/^(?:0x)?[0-9a-f]{64}$/i.test(text)) {
    warnings.push({
      code: 'HASH_ONLY',
      text: 'The message is a hash in hexadecimal digits and does not show what is agreed to.',
    });
  }
  return {
    summary,
    effects: [
      { kind: 'MESSAGE', text: `The message: ${quotedText(text, maximumCharacters)}` },
      ...meaning.contents.map((content): Effect => ({ kind: 'MESSAGE', text: content })),
    ],
    warnings,
  };
}

function lengthText(characters: number | undefined, bytes: Uint8Array): string {
  if (characters === undefined) return bytesText(bytes);
  return characters === 1 ? '1 character' : `${characters} characters`;
}

/** Returns true if the account is not the signer. A signer that is named by an ID may be any account. */
const isOther = (account: string, signWith: string): boolean =>
  account.startsWith('0x')
    ? signWith.startsWith('0x') && account.toLowerCase() !== signWith.toLowerCase()
    : !signWith.includes('-') && account !== signWith;

function explainTypedData(
  data: TypedData,
  { signWith, descriptions }: ExplainedPayload,
): TransactionExplanation {
  const undescribed = explainUndescribed(data, signWith);
  const explained = {
    ...undescribed,
    warnings: [...undescribed.warnings, ...textWarnings(data)],
  };
  if (descriptions === undefined) return explained;
  const { effects, warnings } = describeTypedData(data, signWith, descriptions);
  return {
    ...explained,
    effects: [...explained.effects, ...effects],
    warnings: [...explained.warnings, ...warnings],
  };
}

/** Warns of texts in typed data that look like others, or that hide a part of themselves. */
function textWarnings({ domain, message }: TypedData): readonly Warning[] {
  const texts = [...textsIn(domain), ...textsIn(message)];
  return unusualIn(texts.join(' ')).map((each) => ({
    code: 'UNUSUAL_TEXT',
    text: `In the data: ${each}`,
  }));
}

function textsIn(value: TypedValue): readonly string[] {
  switch (value.kind) {
    case 'string':
      return [value.value];
    case 'list':
      return value.items.flatMap(textsIn);
    case 'struct':
      return [...value.members.values()].flatMap(textsIn);
    default:
      return [];
  }
}

function explainUndescribed(data: TypedData, signWith: string): TransactionExplanation {
  const who = shownText(signWith);
  const known =
    explainPermit(data, who) ??
    explainLending(data, who) ??
    explainSafe(data, who) ??
    explainUserOperation(data, who) ??
    explainStation(data, who);
  if (known !== undefined) return { ...known, effects: [...known.effects, hashesOf(data)] };
  const { name = '', chainId, verifyingContract } = domainFacts(data);
  const application = name === '' ? 'an application without a name' : shownText(name);
  const { members } = data.message;
  const chain = members.get('chain_id');
  // Chains of Cosmos sign transactions as typed data, whose domain names no contract.
  if (chain?.kind === 'string' && members.has('fee') && members.has('sequence')) {
    const text = `The data is a transaction of the chain ${quotedText(chain.value)}, whose messages are not explained here.`;
    return {
      summary: `Typed data: a transaction of the chain ${quotedText(chain.value)}.`,
      effects: [hashesOf(data)],
      warnings: [{ code: 'UNKNOWN_PAYLOAD', text }],
    };
  }
  return {
    summary: `Typed data: ${shownText(data.primaryType)} for ${application}.`,
    effects: [hashesOf(data)],
    warnings:
      verifyingContract === undefined
        ? [{ code: 'UNKNOWN_CONTRACT', text: noContract }]
        : [unknownEffect(addressText(verifyingContract)), ...anyChainWarnings(chainId)],
  };
}

const noContract =
  'The data names no contract, so other applications may accept the signature too.';

/** Orders of exchanges and permissions of accounts are typed data too, each with types of its own. */
const unknownEffect = (contract: string): Warning => ({
  code: 'UNKNOWN_PAYLOAD',
  text: `The effect of the signature is unknown: ${contract} may accept it as an order or a permission that moves tokens.`,
});

/** Returns the hashes that other signing devices show for the same data. */
function hashesOf(data: TypedData): Effect {
  const { domain, message, signed } = typedDataHashes(data);
  const text = `Hashes that other devices show: signed 0x${hex(signed)}, domain 0x${hex(domain)}, message 0x${hex(message)}.`;
  return { kind: 'MESSAGE', text };
}

function explainAuthorization(
  authorization: Authorization,
  signWith: string,
): TransactionExplanation {
  const summary = `${delegationSentence(authorization, shownText(signWith))}.`;
  const warnings: Warning[] = [];
  if (!isZeroAddress(authorization.address)) {
    warnings.push({ code: 'CODE_DELEGATION', text: delegationWarning });
  }
  if (authorization.chainId === 0n) {
    const everywhere = 'It can be used once on every chain where the account has this nonce.';
    warnings.push({ code: 'NO_CHAIN_ID', text: everywhere });
  }
  const to = addressText(authorization.address);
  return {
    summary,
    effects: [{ kind: 'DELEGATION', text: summary, from: shownText(signWith), to }],
    warnings,
  };
}
