// Measures the stages of a request, for metrics. The untrusted gateway can time its own requests to the
// enclave. Reported times must not be more precise than that, so they are multiples of 0.1 ms, as in
// browsers. Their sums stay correct, and differences of a few microseconds do not show.

import {
  maximumStages,
  type StageName,
  type StageTime,
  stageStepMs,
} from '../../core/base/stages.ts';

export type StageTimes = {
  /** Ends the current stage and begins another. */
  readonly enter: (stage: StageName) => void;
  /** Ends the current stage. Returns all stages in order. */
  readonly finish: () => readonly StageTime[];
};

/** Times the stages of one request from now on. `clock` is monotonic, in milliseconds. */
export function createStageTimes(clock: () => number): StageTimes {
  const step = (): number => Math.floor(clock() / stageStepMs);
  const startedAt = step();
  const stages: StageTime[] = [];
  let running: { readonly stage: StageName; readonly at: number } | undefined;

  function end(): void {
    if (running === undefined || stages.length >= maximumStages) return;
    stages.push({ ...running, lasts: step() - startedAt - running.at });
    running = undefined;
  }

  return {
    enter: (stage) => {
      end();
      running = { stage, at: step() - startedAt };
    },
    finish: () => {
      end();
      return stages;
    },
  };
}
