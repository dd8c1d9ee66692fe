// The measured stages of a request: the pipeline steps by file name, and the two queues.

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

/** A stage of a request, in steps of 0.1 ms. It begins at a time after the arrival of the request. */
export type StageTime = {
  readonly stage: StageName;
  readonly at: number;
  readonly lasts: number;
};

/** Resolution of stages, in milliseconds. */
export const stageStepMs = 0.1;
/** Maximum number of stages of a request; a request that is decided repeatedly reaches it. */
export const maximumStages = 256;
