// Splits text into tokens with offsets. The parser knows the grammar.

import { textOfUtf8, utf8 } from '../../base/bytes.ts';
import { finish, type Steps } from '../../base/steps.ts';
import { maximumIntegerDigits, maximumTextBytes } from './bounds.ts';
import { ExpressionError } from './expression_error.ts';

/** `start` and `end` are offsets in bytes of the UTF-8 text. */
export type Token = {
  readonly kind: 'name' | 'integer' | 'text' | 'symbol' | 'end';
  /** A name, the digits of an integer, the characters of a text without quotes, or a symbol. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
};

/** Words that the parser treats as symbols. */
const words = new Set(['true', 'false', 'in']);

/** A token after blanks, with alternatives in the order of their trial. */
const pattern =
  /[ \t\r\n]*(?:([A-Za-z_][A-Za-z0-9_]*)|(-?[0-9]+)|'([^']*)'|(\.\.|==|!=|<=|>=|&&|\|\||[<>!()[\],.])|($))/y;

/**
 * Returns the tokens of a text with a final `end` token. Raises `ExpressionError` for a text that is too long
 * or not well-formed, and at the first character that starts no token.
 */
export function tokensOf(text: string): readonly Token[] {
  return finish(tokensInSteps(text));
}

/** Number of tokens in one step. */
const tokensOfStep = 256;

/** Like `tokensOf`, in steps. */
export function* tokensInSteps(text: string): Steps<readonly Token[]> {
  checkText(text);
  const tokens: Token[] = [];
  const scan = new RegExp(pattern);
  // Only quoted texts have more bytes than characters.
  let extraBytes = 0;
  for (;;) {
    if (tokens.length % tokensOfStep === 0) yield;
    const from = scan.lastIndex;
    const match = scan.exec(text);
    if (match === null) refuseCharacter(text, from, extraBytes);
    const [whole, name, integer, quoted, symbol] = match;
    const spelled = name ?? integer ?? symbol ?? '';
    const length = quoted === undefined ? spelled.length : quoted.length + 2;
    const start = from + whole.length - length + extraBytes;
    if (quoted !== undefined) extraBytes += utf8(quoted).length - quoted.length;
    const end = scan.lastIndex + extraBytes;
    if (name !== undefined) {
      tokens.push({ kind: words.has(name) ? 'symbol' : 'name', text: name, start, end });
    } else if (integer !== undefined) {
      checkDigits(integer, start);
      tokens.push({ kind: 'integer', text: integer, start, end });
    } else if (quoted !== undefined)
      tokens.push({ kind: 'text', text: copyOf(quoted), start, end });
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol, start, end });
    else {
      tokens.push({ kind: 'end', text: '', start, end });
      return tokens;
    }
  }
}

function checkText(text: string): void {
  // A text has at least as many bytes as characters, so a huge text need not be encoded.
  const bytes = text.length > maximumTextBytes ? text.length : utf8(text).length;
  if (bytes > maximumTextBytes) {
    throw new ExpressionError(
      'expression too long',
      maximumTextBytes,
      `at most ${maximumTextBytes} bytes`,
      `${bytes} bytes`,
    );
  }
  const half = text.search(/\p{Surrogate}/u);
  if (half !== -1) {
    throw new ExpressionError(
      'parse error: Invalid token',
      utf8(text.slice(0, half)).length,
      'well-formed Unicode',
      'half a character',
    );
  }
}

/** Rejects long integers before they are parsed, which takes more than linear time. */
function checkDigits(integer: string, start: number): void {
  const digits = integer.replace(/^-?0*/, '').length;
  if (digits > maximumIntegerDigits) {
    throw new ExpressionError(
      'number out of range',
      start,
      'an integer of at most 256 bits',
      `${digits} digits`,
    );
  }
}

function refuseCharacter(text: string, from: number, extraBytes: number): never {
  const blanks = /[ \t\r\n]*/y;
  blanks.lastIndex = from;
  const at = from + (blanks.exec(text)?.[0].length ?? 0);
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  const [expected, found] =
    character === "'"
      ? ["a closing `'`", 'the end of the text']
      : ['a name, a number, a text in single quotes or an operator', shownWords(character)];
  throw new ExpressionError('parse error: Invalid token', at + extraBytes, expected, found);
}

/** Quotes words of the author in backticks, shortened for messages. */
export function shownWords(words: string): string {
  const characters = Array.from(words.slice(0, 130));
  const isShort = words.length <= 130 && characters.length <= 64;
  return `\`${isShort ? words : `${characters.slice(0, 64).join('')}…`}\``;
}

/** Copies a part of a text. A slice would retain the whole text, and takes longer to compare. */
const copyOf = (part: string) => textOfUtf8(utf8(part)) ?? part;
