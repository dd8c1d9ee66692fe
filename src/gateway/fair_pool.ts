// Something that many sources share, such as places or bytes. A source may hold a share of what the others
// leave. So a source that comes later finds something left, however much the first ones hold.

export type FairPoolOptions = {
  readonly maximum: number;
  /** The share of what the others leave that one source may hold. */
  readonly sharePercent: number;
  /** A source may always hold this much, also while the pool is full; 0 if absent. */
  readonly alwaysEach?: number;
  /** How far all sources together may exceed the maximum by `alwaysEach`; absent: without a bound. */
  readonly reserve?: number;
};

export type FairPool = {
  /** Returns true if a source may hold so much more. */
  fits(source: string, amount: number): boolean;
  /** Adds to what a source holds, also beyond its share. A negative amount gives back. */
  add(source: string, amount: number): void;
  heldBy(source: string): number;
  /** Returns what all sources hold together. */
  held(): number;
  /** Returns how many sources hold something. */
  sources(): number;
  /** Returns the source that holds most; undefined while nothing is held. */
  largest(): string | undefined;
  /** The most that any source may hold, which it gets while it is alone. */
  readonly shareMaximum: number;
};

export function createFairPool({
  maximum,
  sharePercent,
  alwaysEach = 0,
  reserve = Number.POSITIVE_INFINITY,
}: FairPoolOptions): FairPool {
  const holdings = new Map<string, number>();
  const shareMaximum = Math.ceil((maximum * sharePercent) / 100);
  let held = 0;
  /** The same sum, but no source counts for more than the share that it may have. */
  let counted = 0;
  const countedOf = (holding: number): number => Math.min(holding, shareMaximum);

  return {
    shareMaximum,
    fits: (source, amount) => {
      const own = holdings.get(source) ?? 0;
      const wanted = own + amount;
      if (wanted <= alwaysEach && held + amount <= maximum + reserve) return true;
      const left = maximum - (counted - countedOf(own));
      return wanted <= left && wanted <= Math.ceil((left * sharePercent) / 100);
    },
    add: (source, amount) => {
      const own = holdings.get(source) ?? 0;
      const changed = own + amount;
      held += amount;
      counted += countedOf(changed) - countedOf(own);
      if (changed === 0) holdings.delete(source);
      else holdings.set(source, changed);
    },
    heldBy: (source) => holdings.get(source) ?? 0,
    held: () => held,
    sources: () => holdings.size,
    largest: () => {
      let largest: string | undefined;
      let most = 0;
      for (const [source, holding] of holdings) {
        if (holding <= most) continue;
        largest = source;
        most = holding;
      }
      return largest;
    },
  };
}
