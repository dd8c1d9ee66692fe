// Explains calls and typed data with the descriptions (ERC-7730) that an organization stores. Values without
// a description are shown raw, and a warning counts them.

import { eip55 } from '../../address/ethereum.ts';
import { hex } from '../../base/bytes.ts';
import { decodeArguments } from '../../contracts/abi_arguments.ts';
import {
  type DescribedFormat,
  type Description,
  parsedDescriptions,
} from '../../contracts/description.ts';
import type { DescribedField, FieldSource } from '../../contracts/description_fields.ts';
import type { Effect, Warning } from '../../organization/records/transaction_explanation.ts';
import { domainFacts, type TypedData, typedDataHashes } from '../../payload/eip712.ts';
import { encodeType } from '../../payload/eip712_types.ts';
import type { Descriptions } from '../described.ts';
import { addressText, type Call, selectorOf } from '../ethereum/call.ts';
import { shownText } from '../text/shown_text.ts';
import { type FormatContext, formattedText } from './format.ts';
import {
  argumentsByName,
  type ItemBudget,
  isWholeInText,
  leavesOf,
  messageValue,
  type PlacedValue,
  rawText,
  type SignedValue,
  valuesAt,
} from './values.ts';

/** Effects for an explanation, and warnings about values without a description. */
type Described = { readonly effects: readonly Effect[]; readonly warnings: readonly Warning[] };

/** Maximum number of rows with labels, and of raw rows, so that neither kind can displace the other. */
const maximumRows = 100;
/** Maximum number of list items that all fields of a format select together. */
const newBudget = (): ItemBudget => ({ left: 2_000 });

/** The data to describe. */
type Subject = {
  readonly root: SignedValue;
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
  readonly chainId: bigint;
  readonly budget: ItemBudget;
};

/** Describes a call by `from` (EIP-55). Returns nothing for data without a call. */
export function describeCall(
  call: Call & { readonly value: bigint; readonly chainId?: bigint | undefined },
  from: string,
  descriptions: Descriptions,
): Described {
  const { to, data, value, chainId } = call;
  const contract = addressText(to);
  const selector = selectorOf(call);
  if (selector === undefined) return { effects: [], warnings: [] };
  for (const stored of descriptions.texts) {
    const description = parsedDescriptions.of(stored);
    const format = description.calls.get(selector);
    if (format === undefined || !isDeployed(description, chainId, contract)) continue;
    const values = decodeArguments(format.layout, data.subarray(4));
    if (values === undefined || chainId === undefined) break;
    const root = argumentsByName(format.function.inputs, values);
    const subject = { root, from, to: contract, value, chainId, budget: newBudget() };
    return describedBy({ ...stored, description }, format, subject, descriptions);
  }
  const what = `The call of ${contract} with the selector ${selector}`;
  return { effects: [], warnings: [notDescribed(what)] };
}

/** Describes typed data that `from` signs. */
export function describeTypedData(
  data: TypedData,
  from: string,
  descriptions: Descriptions,
): Described {
  const { chainId, verifyingContract } = domainFacts(data);
  const contract = verifyingContract === undefined ? '' : eip55(hex(verifyingContract));
  const encoded = encodeType(data.primaryType, data.types);
  for (const stored of descriptions.texts) {
    const description = parsedDescriptions.of(stored);
    const format = description.types.get(encoded);
    const isBound = isDeployed(description, chainId, contract) && isOfDomain(description, data);
    if (format === undefined || !isBound || chainId === undefined) continue;
    const root = messageValue(data.message);
    const subject = { root, from, to: contract, value: 0n, chainId, budget: newBudget() };
    return describedBy({ ...stored, description }, format, subject, descriptions);
  }
  const what = `Typed data of the type ${shownText(data.primaryType)}`;
  return { effects: [], warnings: [notDescribed(what)] };
}

const notDescribed = (what: string): Warning => ({
  code: 'NOT_DESCRIBED',
  text: `${what} has no description: its values are shown raw.`,
});

function isDeployed(
  { deployments }: Description,
  chainId: bigint | undefined,
  contract: string,
): boolean {
  const address = contract.toLowerCase();
  return deployments.some((each) => each.chainId === chainId && each.address === address);
}

/** Returns true if the domain has all members that the description requires. */
function isOfDomain({ domain, domainSeparator }: Description, data: TypedData): boolean {
  const separator = `0x${hex(typedDataHashes(data).domain)}`;
  if (domainSeparator !== undefined && domainSeparator !== separator) return false;
  return [...domain].every(([name, expected]) => {
    const member = data.domain.members.get(name);
    if (member === undefined || member.kind === 'struct' || member.kind === 'list') return false;
    const isHex = member.kind === 'address' || member.kind === 'bytes';
    const text = isHex ? `0x${hex(member.value)}` : String(member.value);
    return isHex ? text === expected.toLowerCase() : text === expected;
  });
}

function describedBy(
  { description, digest }: { readonly description: Description; readonly digest: string },
  { intent, fields }: DescribedFormat,
  subject: Subject,
  { nameOf }: Descriptions,
): Described {
  const { chainId, to: contract } = subject;
  const context = { chainId, contract, token: description.token, nameOf };
  const rows = fields.map((field) => rowsOf(field, subject, context));
  const mismatched = fields.find((field) => !meetsRule(field, subject));
  const name = description.name === '' ? contract : shownText(description.name);
  const source = `the stored description of ${name} (sha256 ${digest.slice(0, 8)})`;
  const refused = (what: string): Described => ({
    effects: [],
    warnings: [{ code: 'NOT_DESCRIBED', text: `${what}: all values are shown raw.` }],
  });
  if (subject.budget.left < 0) return refused(`The signed lists are too long for ${source}`);
  if (mismatched !== undefined) {
    return refused(`"${shownText(mismatched.label)}" has a value that ${source} forbids`);
  }
  const ofFields = [
    ...fields.flatMap(({ isVisible }, i) => (isVisible ? (rows[i] ?? []) : [])),
    ...fields.flatMap(({ isVisible }, i) => (isVisible ? [] : (rows[i] ?? []))),
  ].slice(0, maximumRows);
  // A row beyond the maximum covers no value: a description may repeat fields to displace others.
  const rest = leavesOf(subject.root, '', new Set(ofFields.flatMap(({ covers }) => covers ?? [])));
  const raw = rest
    .slice(0, maximumRows)
    .map(({ place, value }) => `${shownText(place)} (no description): ${rawText(value)}`);
  const left = rest.length - raw.length;
  const more = left > 0 ? [`… ${left} more values`] : [];
  const what = intent === '' ? 'a call without an intent' : shownText(intent, 200);
  const effects = [
    `${what}, says ${source}.`,
    ...ofFields.map(({ text }) => text),
    ...raw,
    ...more,
  ];
  return {
    effects: effects.map((text) => ({ kind: 'DESCRIPTION', text })),
    warnings: restWarnings(rest.length, raw.length, name),
  };
}

function restWarnings(count: number, shown: number, name: string): readonly Warning[] {
  if (count === 0) return [];
  const values = count === 1 ? '1 value' : `${count} values`;
  const text =
    count === shown
      ? `The description of ${name} leaves out ${values}, shown raw.`
      : `The rows of the description of ${name} leave out ${values}: ${shown} are shown raw, the others not at all.`;
  return [{ code: 'NOT_DESCRIBED', text }];
}

function meetsRule({ source, mustMatch }: DescribedField, subject: Subject): boolean {
  if (mustMatch === undefined) return true;
  const values = resolve(source, subject) ?? [];
  return values.every(({ value }) => mustMatch.includes(textOf(value).toLowerCase()));
}

const textOf = (value: SignedValue): string =>
  value.kind === 'address' || value.kind === 'bytes' ? value.hex : rawText(value);

type Row = {
  readonly text: string;
  /** The place of the value that the row shows as a whole. */
  readonly covers?: string;
};

/** Returns the rows of a field. A value that does not fit its format is shown raw with a note. */
function rowsOf(
  { label, source, format }: DescribedField,
  subject: Subject,
  context: FormatContext,
): readonly Row[] {
  const values = resolve(source, subject);
  const title = shownText(label === '' ? (values?.[0]?.place ?? '') : label);
  if (values === undefined) return [{ text: `${title}: missing in the signed data` }];
  const parameters = parameterOf(format, subject);
  return values.map(({ place, value, isPart }, i) => {
    const parameter = parameters?.length === values.length ? parameters[i] : parameters?.[0];
    const isClear = parameters === undefined || [1, values.length].includes(parameters.length);
    const formatted = isClear ? formattedText(value, format, parameter?.value, context) : undefined;
    const shown = formatted ?? `${rawText(value)} (raw: it does not fit the description)`;
    const number = values.length === 1 ? '' : ` ${i + 1}`;
    const text = `${title}${number}: ${shown}`;
    const isOfData = source.kind === 'path' && source.path.root === 'data';
    return isOfData && isPart === undefined && isWholeInText(value)
      ? { text, covers: place }
      : { text };
  });
}

function parameterOf(
  format: DescribedField['format'],
  subject: Subject,
): readonly PlacedValue[] | undefined {
  switch (format.kind) {
    case 'tokenAmount':
      return format.token && resolve(format.token, subject);
    case 'nftName':
      return format.collection && resolve(format.collection, subject);
    case 'calldata':
      return format.callee && resolve(format.callee, subject);
    default:
      return undefined;
  }
}

/** Returns an address, or a text for a signer of typed data that is named by an ID. */
const addressOrText = (text: string): SignedValue =>
  /^0x[0-9a-fA-F]{40}$/.test(text)
    ? { kind: 'address', hex: text.toLowerCase() }
    : { kind: 'text', value: text };

function resolve(source: FieldSource, subject: Subject): readonly PlacedValue[] | undefined {
  if (source.kind === 'constant') {
    return [{ place: '', value: { kind: 'text', value: source.text } }];
  }
  const { root, segments } = source.path;
  if (root === 'data') return valuesAt(subject.root, segments, subject.budget);
  const [segment] = segments;
  const name = segment?.kind === 'name' ? segment.name : '';
  switch (name) {
    case 'from':
    case 'to':
      return [{ place: '', value: addressOrText(subject[name]) }];
    case 'value':
    case 'chainId':
      return [{ place: '', value: { kind: 'integer', value: subject[name] } }];
    default:
      return undefined;
  }
}
