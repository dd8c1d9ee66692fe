// Facts as the language reads them: the request, its votes and the time, handed to an expression as plain
// values.

/**
 * One fact. `int` and `uint` are bigint, a `timestamp` is a bigint of nanoseconds since 1970 in
 * UTC, a list and a tuple are arrays, a map is a `Map`, a struct is a plain object.
 */
export type FactValue =
  | boolean
  | string
  | bigint
  | CaselessText
  | SpelledText
  | readonly FactValue[]
  | FactMap
  | FactStruct;

/** Values with names from the request: contract arguments, an EIP-712 message. */
export type FactMap = ReadonlyMap<string, FactValue>;

/** Members with fixed names; undefined members are absent. */
export type FactStruct = { readonly [field: string]: FactValue | undefined };

/**
 * Text that is equal in any ASCII letter case. Only `caselessText` creates it; `caseless` is the lower-case
 * spelling.
 */
export type CaselessText = { readonly caseless: string };

/**
 * Text with several equivalent spellings, such as an address. A DENY compares all spellings, an ALLOW only
 * the shown one. Slices use the shown spelling.
 */
export class SpelledText {
  readonly spelled: string;
  readonly #find: (spelled: string) => readonly string[];
  #others: readonly string[] | undefined;

  /** `find` returns the other spellings. It is called at most once, if the shown spelling does not match. */
  constructor(spelled: string, find: (spelled: string) => readonly string[]) {
    this.spelled = spelled;
    this.#find = find;
  }

  get others(): readonly string[] {
    this.#others ??= this.#find(this.spelled);
    return this.#others;
  }

  /** Returns true if a spelling satisfies `isSo`; with `isStrict`, only the shown spelling is tested. */
  some(isSo: (spelling: string) => boolean, isStrict: boolean): boolean {
    return isSo(this.spelled) || (!isStrict && this.others.some(isSo));
  }
}

/** The values of type `string` of the language. */
export type Text = string | CaselessText | SpelledText;

/** Returns the value that `CaseInsensitiveString` makes of a text. */
export function withoutCase(text: Text): Text {
  if (typeof text === 'string') return asciiLowerCase(text);
  if (!(text instanceof SpelledText)) return text.caseless;
  return new SpelledText(asciiLowerCase(text.spelled), () => text.others.map(asciiLowerCase));
}

/** Returns the shown spelling. */
export function shownSpelling(text: Text): string {
  if (typeof text === 'string') return text;
  return text instanceof SpelledText ? text.spelled : text.caseless;
}

/**
 * All facts of an evaluation, by root name. Condition: activity, eth, solana, tron, bitcoin, tempo, wallet,
 * wallets, wallet_account, private_key, secret, controls, address_book. Consensus: approvers, credentials.
 * Time: `time` with its only member `now`.
 */
export type Scope = FactStruct;

/** The `controls` of a request that no velocity control covers. */
export const noControls: FactStruct = Object.freeze(Object.create(null));

/** The labels of an address book with their addresses; equal keys have equal facts. */
export type AddressBookFacts = { readonly facts: FactStruct; readonly key: string };
export const noAddressBook: AddressBookFacts = { facts: noControls, key: '' };

/** Returns a text that is compared without regard to ASCII letter case. */
export function caselessText(text: string): CaselessText {
  return { caseless: asciiLowerCase(text) };
}

/** Returns a text with A to Z in lower case; other letters stay. */
export function asciiLowerCase(text: string): string {
  // Nearly all texts are ASCII, for which the faster conversion returns the same.
  if (isAscii.test(text)) return text.toLowerCase();
  const units = new Uint16Array(text.length);
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    units[i] = unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit;
  }
  let lowered = '';
  for (let start = 0; start < units.length; start += unitsOfPart) {
    lowered += Reflect.apply(
      String.fromCharCode,
      undefined,
      units.subarray(start, start + unitsOfPart),
    );
  }
  return lowered;
}

/** Maximum number of arguments that all engines accept. */
const unitsOfPart = 4096;

const isAscii = /^[ -~]*$/;
