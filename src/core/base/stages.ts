// The parts that the time of a request is told in: the steps of the pipeline by the names of their files,
// and the two places where a request waits for others.

/** `turn` waits for the thread, `queue` for other changes of the organization. */
export const stageNames = [
  'turn',
  'parse',
  'verify_stamp',
  'fast_path',
  'resolve_organization',
  'queue',
  'load',
  'authenticate',
  'deduplicate',
  'check_freshness',
  'prepare',
  'authorize',
  'execute',
  'record',
  'commit',
  'vote',
  'proxy',
  'query',
  'answer',
] as const;
export type StageName = (typeof stageNames)[number];

/** One stage of one request, in steps of 0.1 ms: when it began, from the arrival of the request on. */
export type StageTime = {
  readonly stage: StageName;
  readonly at: number;
  readonly lasts: number;
};

/** Milliseconds of a step in which stages are told. */
export const stageStepMs = 0.1;
/** Stages that are told of one request: as many as one takes that is decided anew again and again. */
export const maximumStages = 256;
