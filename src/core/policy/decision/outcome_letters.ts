import { policyOutcomes, type Verdict } from './decision.ts';

/** The outcomes of an evaluation, a letter for each policy; repeated ones counted: `98IAC`. */
export function outcomeLetters(verdicts: readonly Verdict[]): string {
  let text = '';
  let count = 0;
  for (const [i, { outcome }] of verdicts.entries()) {
    count += 1;
    if (verdicts[i + 1]?.outcome === outcome) continue;
    text += `${count === 1 ? '' : count}${policyOutcomes[outcome]}`;
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
