// Splits long work into steps, so that other requests can run in between. A generator yields between the
// operands of chains and the elements of lists, whose numbers are unbounded.

/** Work that may be interrupted where it yields. */
export type Steps<Result> = Generator<void, Result, void>;

/** Counts operands and elements. */
export type StepCounter = { steps: number };

/** Each yield passes through every level of a tree, so a step covers several operands. */
const operandsOfStep = 32;

/** Counts an operand; returns true at the end of a step. */
export function endsStep(counter: StepCounter): boolean {
  counter.steps += 1;
  return counter.steps % operandsOfStep === 0;
}

/** Runs all steps at once. */
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
  return done === true ? value : finishFurtherParts(steps, pause);
}

/** A loop, because nested promises of thousands of steps would stay in memory. */
async function finishFurtherParts<Result>(
  steps: Steps<Result>,
  pause: () => Promise<void>,
): Promise<Result> {
  for (;;) {
    await pause();
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Runs the work for each item with its index, and returns the results. */
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
