// Work on a long text in steps, so that others may go on in between. A generator yields where it may be
// interrupted: between the operands of chains and the elements of lists, which alone are unbounded.

/** Work that may be interrupted where it yields. */
export type Steps<Result> = Generator<void, Result, void>;

/** Counts the operands and elements of one work. */
export type StepCounter = { steps: number };

/** A yield passes through every level of a tree, so a step is not a single operand. */
const operandsOfStep = 32;

/** Counts an operand; returns true if the step ends with it. */
export function endsStep(counter: StepCounter): boolean {
  counter.steps += 1;
  return counter.steps % operandsOfStep === 0;
}

/** Does all of it at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Does it with a pause after each step. Returns no promise if one step is enough. */
export function finishInParts<Result>(
  steps: Steps<Result>,
  pause: () => Promise<void>,
): Result | Promise<Result> {
  const { done, value } = steps.next();
  return done === true ? value : pause().then(() => finishInParts(steps, pause));
}

/** Does the same with each item, which has its place in the list. */
export function* eachInSteps<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Steps<Result>,
  counter: StepCounter,
): Steps<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    results.push(yield* work(item, index));
    if (endsStep(counter)) yield;
  }
  return results;
}
