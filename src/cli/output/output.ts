// Output of results: tables for people, JSON for scripts, IDs on request.

import type { Terminal } from '../terminal/terminal.ts';
import type { CommonValues } from '../words/common_values.ts';
import { styleText } from '../words/node_util.ts';

export type Row = Readonly<Record<string, string | number | undefined>>;

/** Prints results on the standard output, and everything else on the standard error. */
export type Output = {
  readonly json: boolean;
  readonly quiet: boolean;
  /** True if results may have colours. */
  readonly isColored: boolean;
  /** A list: a table for people, `document` for scripts, one id a line when quiet. */
  readonly list: (rows: readonly Row[], shown: Shown) => void;
  /** One thing: a line a member for people. */
  readonly thing: (row: Row, shown: Shown) => void;
  /** One line of a stream: text for people, one line of JSON for scripts. */
  readonly event: (text: string, document: object) => void;
  /** A line for people that is not a result; scripts never see it. */
  readonly note: (text: string) => void;
  /** Prints text unchanged. */
  readonly raw: (text: string) => void;
};

type Shown = {
  /** The document that `--json` prints: the API's own names. */
  readonly document: unknown;
  /** The lines that `--quiet` prints. */
  readonly ids: readonly (string | undefined)[];
  /** Said on the standard error where a list has no rows, for people. */
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
      if (rows.length === 0) return terminal.err(`${visible(shown.empty ?? 'Nothing there.')}\n`);
      for (const line of tableLines(rows, bold)) terminal.out(`${cut(line, width)}\n`);
    },
    thing: (row, shown) => {
      if (json) return document(shown.document);
      if (quiet) return idLines(shown.ids);
      // The service also chooses the names of properties, and of kinds that a later version adds.
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

/** Returns an output without results; notes and errors still appear. */
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

/** Lines of a table with a heading; columns are as wide as their widest cell. */
function tableLines(rows: readonly Row[], heading: (text: string) => string): readonly string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => names.map((name) => visible(String(row[name] ?? ''))));
  const headings = names.map(visible);
  const widths = headings.map((name, column) =>
    Math.max(name.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (texts: readonly string[]) =>
    texts
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join(columnGap)
      .trimEnd();
  return [heading(line(headings)), ...cells.map(line)];
}

const cut = (line: string, width: number): string =>
  // A heading holds the codes of its style, and is never the longest of a table that is cut.
  line.length > width && !line.includes('\u001b') ? `${line.slice(0, width - 1)}…` : line;

/** Returns true if a stream has colours: as asked, as the environment says, else where a person reads. */
export function usesColor(
  { environment }: Pick<Terminal, 'environment'>,
  isTerminal: boolean,
  asked: string | undefined,
): boolean {
  if (asked === 'always' || asked === 'never') return asked === 'always';
  if ((environment['NO_COLOR'] ?? '') !== '') return false;
  if ((environment['FORCE_COLOR'] ?? '') !== '') return environment['FORCE_COLOR'] !== '0';
  return isTerminal && environment['TERM'] !== 'dumb';
}

/**
 * A text of others as a terminal may be given it: control characters, and those that hide or turn
 * others around, stand there as codes.
 */
export function visible(text: string): string {
  return text.replace(unseen, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/**
 * A value as JSON that a terminal may be given: what `visible` replaces is escaped inside of strings, so
 * that it reads back as the same value. Lines and their indent are JSON's own.
 */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(unseen, (character) =>
    character === '\n' ? character : escapedUnits(character),
  );
}

/** RFC 8259, section 7: `\uXXXX` of each UTF-16 code unit. */
const escapedUnits = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');

const unseen = /[\p{C}\p{Zl}\p{Zp}\p{DI}]/gu;

/**
 * Sanitizes a text for a terminal, whatever its source. It retains line feeds, tabs, the styles of this
 * program, and a leading carriage return, which overwrites a line. Commands pass each external text through
 * `visible`; this last step covers commands that forget it.
 */
export function printed(text: string): string {
  return text.replace(codeOrUnseen, (found, place: number) =>
    own.has(found) || found === writtenOver[place] ? found : visible(found),
  );
}

/** Returns a terminal that passes every text through `printed`. */
export function guarded(terminal: Terminal): Terminal {
  const { ask, askSecret } = terminal;
  // Preserves getters.
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

/** The styles that this program writes: bold, red, black on white, and their ends. */
const styles = ['0', '1', '22', '31', '39', '30;107'].map((code) => `\u001b[${code}m`);
const own: ReadonlySet<string> = new Set(['\n', '\t', ...styles]);
/** Matches a carriage return and the sequence that erases the rest of the line. */
const writtenOver: readonly string[] = ['\r', '\u001b[K'];
const codeOrUnseen = /\p{Cc}\[[\d;]*[mK]|[\p{C}\p{Zl}\p{Zp}\p{DI}]/gu;
