import { type PolicyVerdict, policyOutcomes } from './decision.ts';

/** Returns the outcomes of an evaluation, a letter for each policy in run-length form: `98IAC`. */
export function outcomeLetters(verdicts: readonly PolicyVerdict[]): string {
  return counted(verdicts.map(({ outcome }) => policyOutcomes[outcome]));
}

/** Returns the run-length form of capital letters. */
export function counted(letters: readonly string[]): string {
  let text = '';
  let count = 0;
  for (const [i, letter] of letters.entries()) {
    count += 1;
    if (letters[i + 1] === letter) continue;
    text += `${count === 1 ? '' : count}${letter}`;
    count = 0;
  }
  return text;
}

/** Expands the run-length form to one letter for each policy. */
export function spelledOut(letters: string): string {
  return letters.replace(/(\d+)([A-Z])/g, (_, count: string, letter: string) =>
    letter.repeat(Number(count)),
  );
}
