// Output of results: tables for people, JSON for scripts, IDs on request.

import type { Terminal } from '../terminal/terminal.ts';
import type { CommonValues } from '../words/common_values.ts';
import { styleText } from '../words/node_util.ts';

export type Row = Readonly<Record<string, string | number | undefined>>;

/** Prints results on the standard output, and everything else on the standard error. */
export type Output = {
  readonly json: boolean;
  readonly quiet: boolean;
  /** True if results may contain colours. */
  readonly isColored: boolean;
  /** Prints a list: a table for people, `document` for scripts, or one id a line with `--quiet`. */
  readonly list: (rows: readonly Row[], shown: Shown) => void;
  /** Prints one thing: for people, a line for each member. */
  readonly thing: (row: Row, shown: Shown) => void;
  /** Prints one line of a stream: text for people, JSON for scripts. */
  readonly event: (text: string, document: object) => void;
  /** Prints a line for people that is not a result. Omitted with `--json` and `--quiet`. */
  readonly note: (text: string) => void;
  /** Prints text unchanged. */
  readonly raw: (text: string) => void;
};

type Shown = {
  /** The document for `--json`, with the names of the API. */
  readonly document: unknown;
  /** The lines for `--quiet`. */
  readonly ids: readonly (string | undefined)[];
  /** The message on standard error for a list without rows. */
  readonly empty?: string;
};

const columnGap = '  ';

export function createOutput(
  terminal: Terminal,
  { json, quiet, color }: Pick<CommonValues, 'json' | 'quiet' | 'color'>,
): Output {
  const isColored = usesColor(terminal, terminal.outIsTerminal, color);
  const bold = (text: string) =>
    isColored ? styleText('bold', text, { validateStream: false }) : text;
  const width = terminal.outIsTerminal ? terminal.columns : Number.POSITIVE_INFINITY;
  const document = (value: unknown) => terminal.out(`${jsonText(value, 2)}\n`);
  const idLines = (ids: Shown['ids']) => {
    for (const id of ids) if (id !== undefined) terminal.out(`${visible(id)}\n`);
  };
  return {
    json,
    quiet,
    isColored,
    list: (rows, shown) => {
      if (json) return document(shown.document);
      if (quiet) return idLines(shown.ids);
      if (rows.length === 0) return terminal.err(`${visible(shown.empty ?? 'Nothing found.')}\n`);
      for (const line of tableLines(rows, bold, width)) terminal.out(`${line}\n`);
    },
    thing: (row, shown) => {
      if (json) return document(shown.document);
      if (quiet) return idLines(shown.ids);
      // Escape names too: the service can choose names of properties and kinds.
      const entries = Object.entries(row)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [visible(name), visible(String(value))] as const);
      const widest = Math.max(0, ...entries.map(([name]) => name.length));
      for (const [name, value] of entries) {
        terminal.out(`${bold(name.padEnd(widest))}${columnGap}${value}\n`);
      }
    },
    event: (text, value) => {
      terminal.out(json ? `${jsonText(value)}\n` : `${visible(text)}\n`);
    },
    note: (text) => {
      if (!json && !quiet) terminal.err(`${visible(text)}\n`);
    },
    raw: (text) => terminal.out(text),
  };
}

/** Returns an output that prints notes and no results. */
export function withoutResults({ json, quiet, isColored, note }: Output): Output {
  const nothing = () => {};
  return {
    json,
    quiet,
    isColored,
    note,
    list: nothing,
    thing: nothing,
    event: nothing,
    raw: nothing,
  };
}

/**
 * Returns the lines of a table with a heading. Columns are as wide as their widest cell. If the lines do not
 * fit, each ID moves to a line of its own, and the widest columns become narrower and break their texts.
 */
function tableLines(
  rows: readonly Row[],
  heading: (text: string) => string,
  width: number,
): readonly string[] {
  const all = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const isNarrow = totalOf(naturalWidths(rows, all)) > width;
  const names = isNarrow && all.length > 1 ? all.filter((name) => name !== idColumn) : all;
  const widths = fitted(naturalWidths(rows, names), width);
  const lines = (texts: readonly string[]): readonly string[] => {
    const cells = texts.map((text, column) => broken(text, widths[column] ?? 0));
    const height = Math.max(...cells.map(({ length }) => length));
    return Array.from({ length: height }, (_, place) =>
      cells
        .map((cell, column) => (cell[place] ?? '').padEnd(widths[column] ?? 0))
        .join(columnGap)
        .trimEnd(),
    );
  };
  return [
    ...lines(names.map(visible)).map(heading),
    ...rows.flatMap((row) => [
      ...lines(names.map((name) => cellText(row, name))),
      ...(names.length < all.length ? [`${columnGap}${cellText(row, idColumn)}`] : []),
    ]),
  ];
}

const idColumn = 'ID';
const cellText = (row: Row, name: string): string => visible(String(row[name] ?? ''));

const naturalWidths = (rows: readonly Row[], names: readonly string[]): readonly number[] =>
  names.map((name) =>
    Math.max(visible(name).length, ...rows.map((row) => cellText(row, name).length)),
  );

const totalOf = (widths: readonly number[]): number =>
  widths.reduce((sum, each) => sum + each, columnGap.length * (widths.length - 1));

const minimumWidth = 8;

/** Narrows the widest column, step by step, until the columns fit or all are narrow. */
function fitted(natural: readonly number[], width: number): readonly number[] {
  const widths = [...natural];
  for (let excess = totalOf(widths) - width; excess > 0; excess -= 1) {
    const widest = Math.max(...widths);
    if (widest <= minimumWidth) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}

const maximumCellLines = 3;

/** Breaks a text at spaces, and longer words anywhere. The last line shows if further text is left out. */
function broken(text: string, width: number): readonly string[] {
  if (text.length <= width) return [text];
  const bounded = text.slice(0, width * (maximumCellLines + 1));
  const pieces = bounded.match(new RegExp(`.{1,${width}}(?:\\s+|$)|.{1,${width}}`, 'g')) ?? [];
  const lines = pieces.map((piece) => piece.trimEnd());
  if (lines.length <= maximumCellLines) return lines;
  const last = lines[maximumCellLines - 1] ?? '';
  return [...lines.slice(0, maximumCellLines - 1), `${last.slice(0, width - 1)}…`];
}

/**
 * Returns true if a stream may have colours: by the flag, then the environment, then by whether it is a
 * terminal.
 */
export function usesColor(
  { environment }: Pick<Terminal, 'environment'>,
  isTerminal: boolean,
  requested: string | undefined,
): boolean {
  if (requested === 'always' || requested === 'never') return requested === 'always';
  if ((environment['NO_COLOR'] ?? '') !== '') return false;
  if ((environment['FORCE_COLOR'] ?? '') !== '') return environment['FORCE_COLOR'] !== '0';
  return isTerminal && environment['TERM'] !== 'dumb';
}

/** Escapes control, invisible and bidirectional characters of an external text for a terminal. */
export function visible(text: string): string {
  return text.replace(unseen, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/**
 * Returns JSON that is safe for a terminal. It escapes the same characters as `visible`, in a form that
 * parses to the same value. Line feeds and indentation stay.
 */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(unseen, (character) =>
    character === '\n' ? character : escapedUnits(character),
  );
}

/** Returns `\uXXXX` for each UTF-16 code unit (RFC 8259, section 7). */
const escapedUnits = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');

const unseen = /[\p{C}\p{Zl}\p{Zp}\p{DI}]/gu;

/**
 * Sanitizes any text before it is written to the terminal. Keeps line feeds, tabs, the styles of this
 * program, and a leading carriage return, which overwrites a line. Commands pass external text through
 * `visible`; this last step covers omissions.
 */
export function printed(text: string): string {
  return text.replace(codeOrUnseen, (found, place: number) =>
    own.has(found) || found === writtenOver[place] ? found : visible(found),
  );
}

/** Returns a terminal that passes all text through `printed`. */
export function guarded(terminal: Terminal): Terminal {
  const { ask, askSecret } = terminal;
  // Keep the getters of the terminal.
  return Object.assign(Object.create(terminal), {
    out: (text: string) => terminal.out(printed(text)),
    err: (text: string) => terminal.err(printed(text)),
    announce: (text: string) => terminal.announce(printed(text)),
    ask: ask && ((question: string) => ask(printed(question))),
    askSecret:
      askSecret &&
      ((question: string, signal: AbortSignal) => askSecret(printed(question), signal)),
  });
}

/** The styles that this program writes: reset, bold, red, black on white. */
const styles = ['0', '1', '22', '31', '39', '30;107'].map((code) => `\u001b[${code}m`);
const own: ReadonlySet<string> = new Set(['\n', '\t', ...styles]);
/** A carriage return, and the sequence that erases the rest of the line. */
const writtenOver: readonly string[] = ['\r', '\u001b[K'];
const codeOrUnseen = /\p{Cc}\[[\d;]*[mK]|[\p{C}\p{Zl}\p{Zp}\p{DI}]/gu;
