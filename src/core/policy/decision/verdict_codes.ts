import { type PolicyVerdict, policyOutcomes } from './decision.ts';

/** The outcomes of an evaluation, a letter for each policy; repeated ones counted: `98IAC`. */
export function outcomeLetters(verdicts: readonly PolicyVerdict[]): string {
  return counted(verdicts.map(({ outcome }) => policyOutcomes[outcome]));
}

/** Capital letters as one text, repeated ones counted. */
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

/** One letter for each policy again. */
export function spelledOut(letters: string): string {
  return letters.replace(/(\d+)([A-Z])/g, (_, count: string, letter: string) =>
    letter.repeat(Number(count)),
  );
}
