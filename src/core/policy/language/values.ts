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

/** Named values that a request chose: contract arguments, an EIP-712 message. */
export type FactMap = ReadonlyMap<string, FactValue>;

/** Members with fixed names; one that is undefined or left out is not there. */
export type FactStruct = { readonly [field: string]: FactValue | undefined };

/**
 * Text that equals any spelling which differs in the case of ASCII letters only. Made by
 * `caselessText` alone: `caseless` holds the lower-case spelling.
 */
export type CaselessText = { readonly caseless: string };

/**
 * Text with several spellings of one thing, such as an address. In a DENY it equals each of them, in an ALLOW
 * the shown one. Parts are cut from the shown spelling.
 */
export class SpelledText {
  readonly spelled: string;
  readonly #find: (spelled: string) => readonly string[];
  #others: readonly string[] | undefined;

  /** `find` gives the other spellings. It is called once at most, when the shown one does not equal. */
  constructor(spelled: string, find: (spelled: string) => readonly string[]) {
    this.spelled = spelled;
    this.#find = find;
  }

  get others(): readonly string[] {
    this.#others ??= this.#find(this.spelled);
    return this.#others;
  }

  /** Returns true if any of the spellings is so; only the shown one counts where `isStrict`. */
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

/** The spelling that is shown. */
export function shownSpelling(text: Text): string {
  if (typeof text === 'string') return text;
  return text instanceof SpelledText ? text.spelled : text.caseless;
}

/**
 * All facts of one evaluation, by root name. Condition: activity, eth, solana, tron, bitcoin,
 * tempo, wallet, wallets, wallet_account, private_key, secret, controls, address_book. Consensus: approvers,
 * credentials. Time: `time` with the one member `now`.
 */
export type Scope = FactStruct;

/** The `controls` of a request that no velocity control covers. */
export const noControls: FactStruct = Object.freeze(Object.create(null));

/** The labels of an address book with their addresses; equal keys have equal facts. */
export type AddressBookFacts = { readonly facts: FactStruct; readonly key: string };
export const noAddressBook: AddressBookFacts = { facts: noControls, key: '' };

/** A text that is compared without regard to the case of ASCII letters. */
export function caselessText(text: string): CaselessText {
  return { caseless: asciiLowerCase(text) };
}

/** A text with A to Z made small, and no other letter touched. */
export function asciiLowerCase(text: string): string {
  // Nearly all text is ASCII, where the fast conversion does the same.
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

/** The number of arguments that every engine accepts. */
const unitsOfPart = 4096;

const isAscii = /^[ -~]*$/;
