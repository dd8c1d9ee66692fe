// Returns texts of the catalogue with their values. `?locale=pseudo` makes each text 40 % longer and marks
// it, which reveals texts outside of the catalogue and broken layouts.

import { en, type MessageName } from './en.ts';

type Values = Readonly<Record<string, string | number>>;

const asked = new URLSearchParams(globalThis.location?.search).get('locale');
const isPseudo = asked === 'pseudo';

/** The language of numbers, dates and lists. */
export const locale = 'en';

let texts: Readonly<Record<string, string>> = en;
let adding: Promise<void> | undefined;

/** Fetches the texts of the screens once. Modules of screens use texts when they are evaluated. */
export function fetchScreenTexts(): Promise<void> {
  adding ??= import('./en_screens.ts').then(
    ({ enScreens }) => {
      texts = { ...en, ...enScreens };
    },
    (error) => {
      adding = undefined;
      throw error;
    },
  );
  return adding;
}

/** Returns a text in the language of the page. */
export function t(name: MessageName, values: Values = {}): string {
  const text = texts[name] ?? name;
  const filled = filledIn(isPseudo ? stretched(text) : text, values);
  return isPseudo ? `⟦${filled}⟧` : filled;
}

/** Returns the text with this name, or the fallback if the catalogue lacks it. */
export function known(name: string, fallback: string): string {
  return Object.hasOwn(texts, name) ? t(name as MessageName) : fallback;
}

const plural = /\{(\w+), plural, one \{([^{}]*)\} other \{([^{}]*)\}\}/g;
const rules = new Intl.PluralRules(locale);

function filledIn(text: string, values: Values): string {
  return text
    .replaceAll(plural, (_, name: string, one: string, other: string) => {
      const count = Number(values[name]);
      return (rules.select(count) === 'one' ? one : other).replace('#', number(count));
    })
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}

const accents: Readonly<Record<string, string>> = {
  a: 'á',
  c: 'ç',
  e: 'é',
  i: 'í',
  n: 'ñ',
  o: 'ó',
  s: 'š',
  u: 'ü',
  y: 'ý',
  z: 'ž',
  A: 'Á',
  C: 'Ç',
  D: 'Ð',
  E: 'É',
  I: 'Í',
  N: 'Ñ',
  O: 'Ó',
  S: 'Š',
  U: 'Ü',
  W: 'Ŵ',
};

/** Stretches a text, except values and plural forms. */
function stretched(text: string): string {
  const parts = text.split(/(\{\w+\}|\{\w+, plural, one \{|\} other \{|\}\})/);
  const accented = parts.map((part) =>
    /[{}]/.test(part) ? part : part.replaceAll(/\w/g, (letter) => accents[letter] ?? letter),
  );
  return `${accented.join('')}${' ~'.repeat(Math.ceil(text.length / 5))}`;
}

const numbers = new Intl.NumberFormat(locale);
export const number = (value: number): string => numbers.format(value);

const times = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
});
const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const choices = new Intl.ListFormat(locale, { type: 'disjunction' });
const lists = new Intl.ListFormat(locale, { type: 'conjunction' });
export const timeText = (ms: number): string => times.format(ms);
export const dayText = (ms: number): string => days.format(ms);

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Returns a duration such as `2 hours`, in the largest unit without a fraction. */
export function durationText(seconds: number): string {
  const [unit, length] = units.find(([, each]) => seconds % each === 0) ?? ['second', 1];
  return unitText(seconds / length, unit);
}

/** Returns a duration such as `2 hours`, rounded to the largest unit that fits in it at least twice. */
export function roughDurationText(seconds: number): string {
  const [unit, length] = units.find(([, each]) => seconds >= 2 * each) ?? ['second', 1];
  return unitText(Math.round(seconds / length), unit);
}

const unitText = (value: number, unit: string): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);

export const listText = (texts: readonly string[]): string => lists.format(texts);
export const oneOfText = (texts: readonly string[]): string => choices.format(texts);
