// Deliberate faults: each is one small edit of one source file, like a mistake in a change. They are found
// in the text that Node runs, in which types are blanked out so that all positions stay the same.

import { stripTypeScriptTypes } from 'node:module';

export type Mutant = {
  /** Path from the top of the project. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The text of the line without the spaces around it. */
  readonly lineText: string;
  /** The change in words, with the number of earlier places in the line where it is also possible. */
  readonly fault: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
};

/** All faults of a source file, in the order of the text. */
export function mutantsOf(file: string, source: string): readonly Mutant[] {
  const text = stripTypeScriptTypes(source, { mode: 'strip' });
  const code = masked(text);
  const edits = [
    ...swaps(code),
    ...conditions(code),
    ...removals(code, text),
    ...elements(code, text),
  ];
  const seen = new Map<string, number>();
  return edits
    .toSorted((a, b) => a.start - b.start || (a.fault < b.fault ? -1 : 1))
    .filter((edit) => isProgram(applied(text, edit)))
    .map((edit) => {
      const line = text.slice(0, edit.start).split('\n').length;
      const lineText = (source.split('\n')[line - 1] ?? '').trim();
      const key = `${line}/${edit.fault}`;
      const count = (seen.get(key) ?? 0) + 1;
      seen.set(key, count);
      const fault = count === 1 ? edit.fault : `${edit.fault}, the ${count}. time`;
      return { ...edit, file, line, lineText, fault };
    });
}

/** Returns the program with a fault, without types. */
export function mutated(source: string, mutant: Edit): string {
  return applied(stripTypeScriptTypes(source, { mode: 'strip' }), mutant);
}

type Edit = Pick<Mutant, 'start' | 'end' | 'replacement'>;
type Fault = Edit & Pick<Mutant, 'fault'>;

function applied(text: string, { start, end, replacement }: Edit): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

function isProgram(text: string): boolean {
  try {
    stripTypeScriptTypes(text);
    return true;
  } catch {
    // An edit that breaks the syntax is not a fault.
    return false;
  }
}

/** Operators and their replacements. The formatter writes spaces around all of these. */
const opposites: readonly (readonly [RegExp, string])[] = [
  [/(?<= )&&(?= )/g, '||'],
  [/(?<= )\|\|(?= )/g, '&&'],
  [/(?<= )===(?= )/g, '!=='],
  [/(?<= )!==(?= )/g, '==='],
  [/(?<= )<(?= )/g, '<='],
  [/(?<= )<=(?= )/g, '<'],
  [/(?<= )>(?= )/g, '>='],
  [/(?<= )>=(?= )/g, '>'],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/(?<=\.)some(?=\()/g, 'every'],
  [/(?<=\.)every(?=\()/g, 'some'],
  [/(?<= )\+(?= \d)/g, '-'],
  [/(?<= )-(?= \d)/g, '+'],
  [/(?<=[(=:?&|,]\s?)!(?=[\w(])/g, ''],
];

function swaps(code: string): Fault[] {
  return opposites.flatMap(([pattern, replacement]) =>
    [...code.matchAll(pattern)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      replacement,
      fault: replacement === '' ? `${match[0]} left out` : `${match[0]} becomes ${replacement}`,
    })),
  );
}

/** Faults by which a condition always or never holds. */
function conditions(code: string): Fault[] {
  return [...code.matchAll(/\b(if|while) \(/g)].flatMap((match) => {
    const start = match.index + match[0].length;
    const end = closing(code, start - 1);
    const always = { start, end, replacement: 'true', fault: 'the condition always holds' };
    const never = { start, end, replacement: 'false', fault: 'the condition never holds' };
    // An endless loop would be noticed without any assertion.
    return match[1] === 'while' ? [never] : [always, never];
  });
}

/** Faults that leave out a call or a returned value. */
function removals(code: string, text: string): Fault[] {
  const calls = [...code.matchAll(/(?<=[;{})]\s+)(?:await |void )?[a-zA-Z][\w.?]*\(/g)].flatMap(
    (match) => {
      // No test can make an assertion fail, so removing it would never be noticed.
      if (/^(if|while|for|switch|catch|function|return|assert)\b/.test(match[0])) return [];
      const end = closing(code, match.index + match[0].length - 1) + 1;
      const isStatement = code[end] === ';';
      return isStatement
        ? [{ start: match.index, end, replacement: 'undefined', fault: 'the call is left out' }]
        : [];
    },
  );
  const answers = [...code.matchAll(/\breturn (?!undefined;|true;|false;|\{)/g)].flatMap(
    (match) => {
      const start = match.index + match[0].length;
      const end = endOfExpression(code, start);
      return [{ start, end, replacement: 'undefined', fault: 'the answer is undefined' }];
    },
  );
  const thrown = [...code.matchAll(/\bthrow /g)].flatMap((match) => {
    const start = match.index;
    const end = endOfExpression(code, start);
    if (/^throw new Error\(['`]assertion failed/.test(text.slice(start, end))) return [];
    return [{ start, end, replacement: 'undefined', fault: 'nothing is thrown' }];
  });
  return [...calls, ...answers, ...thrown];
}

/** Faults that leave out a text of a list. */
function elements(code: string, text: string): Fault[] {
  return [...code.matchAll(/(?<=[[,]\s*)'s*'(?:,\s*|(?=\s*\]))/g)].flatMap((match) => {
    if (opening(code, match.index) !== '[') return [];
    const start = match.index;
    const end = start + match[0].length;
    const name = text.slice(start, end).replace(/,\s*$/, '');
    return [{ start, end, replacement: '', fault: `${name} is missing` }];
  });
}

/** Returns the position of the closing bracket for the bracket at a position. */
function closing(code: string, at: number): number {
  let depth = 0;
  for (let i = at; i < code.length; i += 1) {
    if ('([{'.includes(code[i] ?? '')) depth += 1;
    if (')]}'.includes(code[i] ?? '')) depth -= 1;
    if (depth === 0) return i;
  }
  return code.length;
}

/** Returns the bracket that encloses a position. */
function opening(code: string, at: number): string | undefined {
  let depth = 0;
  for (let i = at - 1; i >= 0; i -= 1) {
    if (')]}'.includes(code[i] ?? '')) depth += 1;
    if ('([{'.includes(code[i] ?? '')) {
      if (depth === 0) return code[i];
      depth -= 1;
    }
  }
  return undefined;
}

function endOfExpression(code: string, start: number): number {
  for (let i = start; i < code.length; i += 1) {
    if ('([{'.includes(code[i] ?? '')) i = closing(code, i);
    else if (code[i] === ';') return i;
  }
  return code.length;
}

/** Returns the text with the contents of comments, strings and patterns replaced. */
function masked(text: string): string {
  // A pattern starts where a value begins. A template counts as one string, including its expressions.
  const pattern =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|(?<=(?:=>|[(,=:[!&|?{};])\s*)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/[a-z]*/g;
  return text.replace(pattern, (found) => {
    const isText = found.startsWith("'");
    const inner = found.slice(1, -1).replace(/[^\n]/g, isText ? 's' : ' ');
    return isText ? `'${inner}'` : ` ${inner} `;
  });
}
