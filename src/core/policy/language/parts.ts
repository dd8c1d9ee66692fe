// Elements and parts of lists and texts. A text is counted in characters: code points.

import { isList, isMap, isText } from './expected_type.ts';
import {
  type EvaluationFailure,
  type Frame,
  failureAt,
  limitAt,
  note,
  spend,
  stepsOfText,
} from './frame.ts';
import { type FactValue, shownSpelling, type Text } from './values.ts';

/** Failures of an index or slice. */
type BracketFailures = {
  readonly range: EvaluationFailure;
  readonly key: EvaluationFailure;
  readonly type: EvaluationFailure;
  readonly limit: EvaluationFailure;
};

export function bracketFailures(position: number): BracketFailures {
  return {
    range: failureAt(position, 'index_out_of_range', 'the index is outside of the value'),
    key: failureAt(position, 'key_missing', 'the map has no such key'),
    type: failureAt(position, 'type_mismatch', 'the value cannot be indexed'),
    limit: limitAt(position),
  };
}

/** Returns an element of a list, a character of a text or a value of a map; undefined after a failure. */
export function elementOf(
  frame: Frame,
  owner: FactValue,
  index: FactValue,
  failures: BracketFailures,
): FactValue | undefined {
  if (typeof index === 'bigint') {
    const at = Number(index);
    if (isList(owner)) {
      if (at < 0 || at >= owner.length) return note(frame, failures.range);
      return owner[at] ?? note(frame, failures.type);
    }
    if (isText(owner)) return textPart(frame, owner, at, at + 1, failures);
  } else if (isMap(owner) && isText(index)) {
    const key = shownSpelling(index);
    return owner.get(key) ?? note(frame, failures.key);
  }
  return note(frame, failures.type);
}

/** Returns the slice from index `start`, without the element at `end`; undefined after a failure. */
export function partOf(
  frame: Frame,
  owner: FactValue,
  start: number,
  end: number,
  failures: BracketFailures,
): readonly FactValue[] | Text | undefined {
  if (isText(owner)) return textPart(frame, owner, start, end, failures);
  if (!isList(owner)) return note(frame, failures.type);
  if (start < 0 || start > end || end > owner.length) return note(frame, failures.range);
  return spend(frame, end - start, failures.limit) ? owner.slice(start, end) : undefined;
}

function textPart(
  frame: Frame,
  owner: Text,
  start: number,
  end: number,
  failures: BracketFailures,
): Text | undefined {
  const text = shownSpelling(owner);
  // A text has at most as many characters as code units.
  if (start < 0 || start > end || end > text.length) return note(frame, failures.range);
  if (!spend(frame, stepsOfText(end), failures.limit)) return undefined;
  const part = hasSurrogates(text, end)
    ? charactersBetween(text, start, end)
    : text.slice(start, end);
  if (part === undefined) return note(frame, failures.range);
  return typeof owner !== 'string' && 'caseless' in owner ? { caseless: part } : part;
}

/** Returns true if a character before `end` has two code units. */
function hasSurrogates(text: string, end: number): boolean {
  for (let i = 0; i < end; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdfff) return true;
  }
  return false;
}

function charactersBetween(text: string, start: number, end: number): string | undefined {
  let from = 0;
  let at = 0;
  for (let character = 0; character < end; character += 1) {
    if (at >= text.length) return undefined;
    if (character === start) from = at;
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(start === end ? at : from, at);
}
