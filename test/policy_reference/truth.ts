// The truth tables of docs/policy-language.md, "What forbids".

/** Why something has no value. */
export type Lacking = 'absent' | 'odd';

export type Truth = 'true' | 'false' | Lacking;

// Rows and columns: true, false, absent, odd.
const order: readonly Truth[] = ['true', 'false', 'absent', 'odd'];

const conjunction: readonly (readonly Truth[])[] = [
  ['true', 'false', 'absent', 'odd'],
  ['false', 'false', 'false', 'false'],
  ['absent', 'false', 'absent', 'odd'],
  ['odd', 'false', 'odd', 'odd'],
];

const disjunction: readonly (readonly Truth[])[] = [
  ['true', 'true', 'true', 'true'],
  ['true', 'false', 'absent', 'odd'],
  ['true', 'absent', 'absent', 'odd'],
  ['true', 'odd', 'odd', 'odd'],
];

export const and = (a: Truth, b: Truth): Truth => entry(conjunction, a, b);
export const or = (a: Truth, b: Truth): Truth => entry(disjunction, a, b);

function entry(table: readonly (readonly Truth[])[], a: Truth, b: Truth): Truth {
  const found = table[order.indexOf(a)]?.[order.indexOf(b)];
  if (found === undefined) throw new Error('the table is not whole');
  return found;
}

/** Returns odd if one part is odd, else absent. */
export function lackOf(parts: readonly Lacking[]): Lacking {
  return parts.includes('odd') ? 'odd' : 'absent';
}

/** Returns true or false if all answers agree, otherwise the reason why there is no value. */
export function same(answers: readonly Truth[], lack: Lacking | undefined): Truth {
  const [first] = answers;
  const isSettled = first === 'true' || first === 'false';
  if (isSettled && answers.every((answer) => answer === first)) return first;
  const lacks = answers.filter((answer) => answer === 'absent' || answer === 'odd');
  return lackOf(lack === undefined ? lacks : [...lacks, lack]);
}
