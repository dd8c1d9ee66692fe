// The kinds of settings: how each parses its text.

import { type Chain, readChains } from '../core/balances/chains.ts';
import { databaseUrls } from '../core/base/database_hosts.ts';

export type Setting<Value> = {
  readonly variable: string;
  readonly sentence: string;
  /** The expected value, after the word "expected". */
  readonly expected: string;
  readonly fallback: Value;
  /** Description of the fallback. */
  readonly absent: string;
  /** Parses a text; undefined for an invalid text. */
  readonly read: (text: string) => Value | undefined;
  /** True for a value that is never displayed. */
  readonly isSecret?: boolean;
  /** Describes the fault of a text without repeating the text. */
  readonly faultOf?: (text: string) => string | undefined;
};

type Words = { readonly variable: string; readonly sentence: string };
type Bounds = { readonly minimum: number; readonly maximum: number };

export function text(row: Words & { readonly fallback: string }): Setting<string> {
  return { ...row, expected: 'a text', absent: `\`${row.fallback}\``, read: readText };
}

export function optionalText(
  row: Words & { readonly absent: string },
): Setting<string | undefined> {
  return { ...row, expected: 'a text', fallback: undefined, read: readText };
}

/** A text that is never displayed. */
export function optionalSecret(
  row: Words & { readonly absent: string; readonly expected: string },
): Setting<string | undefined> {
  return { ...row, fallback: undefined, read: readText, isSecret: true };
}

export function optionalDatabaseUrl(
  row: Words & { readonly absent: string },
): Setting<string | undefined> {
  return {
    ...row,
    expected: '`postgres://user:password@host:port/database`',
    fallback: undefined,
    read: (value) => (databaseUrls(value) === undefined ? undefined : value),
    isSecret: true,
  };
}

export function optionalOrigin(
  row: Words & { readonly absent: string },
): Setting<string | undefined> {
  return {
    ...row,
    expected: 'an address like `https://keys.example`, without a slash at its end',
    fallback: undefined,
    read: (value) => {
      const url = URL.parse(value);
      const isOfWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
      const isPlain = url?.search === '' && url.hash === '' && url.username === '';
      return isOfWeb && isPlain && !value.endsWith('/') ? value : undefined;
    },
  };
}

/** Origins of web applications. */
export function optionalOrigins(
  row: Words & { readonly absent: string },
): Setting<readonly string[] | undefined> {
  return {
    ...row,
    expected: 'origins like `https://app.example`, separated by commas',
    fallback: undefined,
    read: (value) => {
      const given = value.split(',').map((origin) => origin.trim());
      // The host of a URL may contain a semicolon, which would begin another directive of the policy.
      const isOrigin = (text: string) =>
        /^https?:\/\/[\w.:[\]-]+$/.test(text) && URL.parse(text)?.origin === text;
      return given.length <= maximumOrigins && given.every(isOrigin) ? given : undefined;
    },
  };
}

/** Issuers of tokens, compared exactly; `none` is an empty list. */
export function optionalIssuers(
  row: Words & { readonly absent: string },
): Setting<readonly string[] | undefined> {
  return {
    ...row,
    expected: 'issuers like `https://accounts.example`, separated by commas, or `none`',
    fallback: undefined,
    read: (value) => {
      if (value === '' || value === 'none') return [];
      const issuers = value.split(',').map((issuer) => issuer.trim());
      const isIssuer = (text: string) => /^https?:\/\/[^?#]+$/.test(text) && URL.canParse(text);
      return issuers.length <= maximumIssuers && issuers.every(isIssuer) ? issuers : undefined;
    },
  };
}

/** Prefixes of phone numbers. */
export function optionalPrefixes(
  row: Words & { readonly absent: string },
): Setting<readonly string[] | undefined> {
  return {
    ...row,
    expected: 'prefixes like `+49,+1212`, separated by commas; `+` is every number',
    fallback: undefined,
    read: (value) => {
      const prefixes = value.split(',').map((prefix) => prefix.trim());
      const isPrefix = (text: string) => /^\+(?:[1-9][0-9]{0,14})?$/.test(text);
      return prefixes.length <= maximumPrefixes && prefixes.every(isPrefix) ? prefixes : undefined;
    },
  };
}

/** A program and its arguments, run without a shell. */
export function optionalCommand(
  row: Words & { readonly absent: string },
): Setting<readonly string[] | undefined> {
  return {
    ...row,
    expected:
      'a JSON array of texts, the first an absolute path, as `["/usr/bin/age","--decrypt"]`',
    fallback: undefined,
    // An argument may hold a secret, although that is discouraged.
    isSecret: true,
    read: (value) => {
      const words = parsed(value);
      const isWord = (word: unknown) => typeof word === 'string' && !word.includes('\0');
      const isList = Array.isArray(words) && words.length <= maximumWords && words.every(isWord);
      return isList && words[0]?.startsWith('/') ? words : undefined;
    },
  };
}

/** Names of environment variables. */
export function optionalNames(
  row: Words & { readonly absent: string },
): Setting<readonly string[] | undefined> {
  return {
    ...row,
    expected: 'names like `VAULT_ADDR,AWS_REGION`, separated by commas',
    fallback: undefined,
    read: (value) => {
      const names = value.split(',').map((name) => name.trim());
      // Settings of the service cannot be named.
      const isName = (name: string) =>
        /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !name.startsWith('KEYWRIGHT_');
      return names.length <= maximumWords && names.every(isName) ? names : undefined;
    },
  };
}

/** Addresses and their replacements. */
export function optionalAddresses(
  row: Words & { readonly absent: string },
): Setting<Readonly<Record<string, string>> | undefined> {
  return {
    ...row,
    expected: 'a JSON object of addresses, as `{"https://api.example/token":"http://127.0.0.1:1"}`',
    fallback: undefined,
    read: (value) => {
      const given = objectOf(value);
      if (given === undefined) return undefined;
      const texts = Object.entries(given).flat();
      const isUrl = (text: unknown) => typeof text === 'string' && URL.canParse(text);
      return texts.every(isUrl) ? (given as Readonly<Record<string, string>>) : undefined;
    },
  };
}

export function integer(row: Words & Bounds & { readonly fallback: number }): Setting<number> {
  return { ...row, ...integerIn(row), absent: `\`${row.fallback}\`` };
}

export function optionalInteger(
  row: Words & Bounds & { readonly absent: string },
): Setting<number | undefined> {
  return { ...row, ...integerIn(row), fallback: undefined };
}

/** A number from 0 to 1 with at most six decimal places. */
export function ratio(row: Words & { readonly fallback: number }): Setting<number> {
  return {
    ...row,
    expected: 'a number from 0 to 1, as `0.05`',
    absent: `\`${row.fallback}\``,
    read: (value) =>
      /^(?:0(?:\.[0-9]{1,6})?|1(?:\.0{1,6})?)$/.test(value) ? Number(value) : undefined,
  };
}

export function toggle(row: Words & { readonly fallback: boolean }): Setting<boolean> {
  return {
    ...row,
    expected: '`true` or `false`',
    absent: `\`${row.fallback}\``,
    read: (value) =>
      new Map([
        ['true', true],
        ['false', false],
      ]).get(value),
  };
}

export function choice<Choice extends string>(
  row: Words & { readonly fallback: NoInfer<Choice>; readonly choices: readonly Choice[] },
): Setting<Choice> {
  return {
    ...row,
    expected: `one of ${row.choices.join(', ')}`,
    absent: `\`${row.fallback}\``,
    read: (value) => row.choices.find((name) => name === value),
  };
}

function readText(value: string): string | undefined {
  return value === '' || value.includes('\0') ? undefined : value;
}

const maximumOrigins = 50;
const maximumIssuers = 100;
const maximumPrefixes = 500;
const maximumWords = 100;

function objectOf(json: string): object | undefined {
  const value = parsed(json);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? value : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // The caller rejects the whole setting.
    return undefined;
  }
}

function integerIn({ minimum, maximum }: Bounds) {
  return {
    expected: `an integer from ${minimum} to ${maximum}`,
    read: (value: string): number | undefined => {
      if (!/^(0|[1-9][0-9]{0,15})$/.test(value)) return undefined;
      const number = Number(value);
      return number >= minimum && number <= maximum ? number : undefined;
    },
  };
}

/** Node URLs may contain an API key, so the value is never displayed. */
export function chainsSetting(): Setting<readonly Chain[] | undefined> {
  return {
    variable: 'KEYWRIGHT_CHAINS',
    sentence: 'Chains whose balances the service watches and answers; see docs/balances.md.',
    expected: 'the JSON that docs/balances.md describes',
    fallback: undefined,
    absent: 'no chain',
    isSecret: true,
    read: (value) => {
      const read = readChains(value);
      return 'fault' in read ? undefined : read.chains;
    },
    faultOf: (value) => {
      const read = readChains(value);
      return 'fault' in read ? read.fault : undefined;
    },
  };
}
