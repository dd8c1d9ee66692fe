/**
 * Lets jobs of one key run one after the other, in arrival order. Changes of one organization would
 * otherwise all decide on the same version, and all but one would have to decide again.
 */
export function createKeyedQueue(): <T>(key: string, job: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, job) => {
    const before = last.get(key);
    // The one before reports its own failure to its own caller.
    const turn = before === undefined ? job() : before.then(job, job);
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
}
