// Shares a resource, such as places or bytes, among many sources. A source may hold a share of the rest, so a
// later source always finds something left.

type FairPoolOptions = {
  readonly maximum: number;
  /** The share of the rest that one source may hold. */
  readonly sharePercent: number;
  /** The amount that a source may always hold, even while the pool is full. Default: 0. */
  readonly alwaysEach?: number;
  /** Maximum excess of all sources by `alwaysEach`. Default: no bound. */
  readonly reserve?: number;
};

export type FairPool = {
  /** Returns true if a source may hold this additional amount. */
  fits(source: string, amount: number): boolean;
  /** Adds to the amount that a source holds, even beyond its share. A negative amount releases. */
  add(source: string, amount: number): void;
  heldBy(source: string): number;
  /** Returns the amount that all sources hold together. */
  held(): number;
  /** Returns the number of sources that hold something. */
  sources(): number;
  /** Returns the source that holds the most; undefined if no source holds anything. */
  largest(): string | undefined;
  /** Maximum that one source may hold. A source gets it while it is the only source. */
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
  /** The total amount, where each source counts for at most its share. */
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
