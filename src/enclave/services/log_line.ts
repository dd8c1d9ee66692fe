// A queue for work on the log, which runs one item at a time. The service's own work goes first, and the
// lanes of readers take turns, so a reader with many requests delays others by one request.

type Waiting = () => Promise<unknown>;

/**
 * Runs work in its turn. `lane` is an organization, or `anyReader` for unknown readers. Work without a lane
 * belongs to the service.
 */
export type LogLine = <Result>(run: () => Promise<Result>, lane?: string) => Promise<Result>;

/** The lane of unknown readers. */
export const anyReader = 'any reader';

/** Creates an empty queue. */
export function createLogLine(): LogLine {
  const own: Waiting[] = [];
  const lanes = new Map<string, Waiting[]>();
  let isTaken = false;

  function takeNext(): Waiting | undefined {
    const [first] = lanes;
    if (own.length > 0 || first === undefined) return own.shift();
    const [name, lane] = first;
    const next = lane.shift();
    lanes.delete(name);
    if (lane.length > 0) lanes.set(name, lane);
    return next;
  }

  async function runAll(): Promise<void> {
    isTaken = true;
    for (let next = takeNext(); next !== undefined; next = takeNext()) await next();
    isTaken = false;
  }

  return (run, lane) =>
    new Promise((resolve, reject) => {
      const waiting = lane === undefined ? own : lanes.getOrInsertComputed(lane, () => []);
      waiting.push(() => run().then(resolve, reject));
      if (!isTaken) void runAll();
    });
}
