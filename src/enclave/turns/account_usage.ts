// Thread time used by each account, in virtual time: the start time of a piece if all accounts had shared the
// thread evenly.

/** The use of one account. */
export type Account = {
  readonly name: string;
  /** The virtual time up to which the account has used the thread. */
  usedUntil: number;
  /** The recent use of a source or user, and the total use when it was recorded. */
  recent: { readonly use: number; readonly at: number };
};

/** Half-life of recent use, in milliseconds of thread time. */
const recentHalfLife = 1_000;

/** Maximum accounts in memory; accounts that have not exceeded their share are dropped first. */
export const maximumAccounts = 4_096;

export type AccountUsage = {
  /** Returns the account of a name; a new account if it is not in memory. */
  accountOf(name: string): Account;
  charge(account: Account, cost: number): void;
  /** Adds to the recent use of a source or user, even if another account is charged. */
  noteUse(account: Account, cost: number): void;
  /** Returns the virtual start time of the last piece. */
  virtualTime(): number;
  /** Advances virtual time to the start of the next piece. It is monotonic. */
  advanceTo(start: number): void;
  /**
   * Advances virtual time by the cost divided by the number of lanes. New accounts start at the current
   * virtual time, so without this a stream of them would stop it below the use of other accounts.
   */
  shareAmong(lanes: number, cost: number): void;
  /**
   * Returns the place of a source or user that begins to wait now: the total use plus its own recent use.
   * Recent use therefore counts as a later start of the wait.
   */
  placeOf(account: Account): number;
};

export function createAccountUsage(): AccountUsage {
  const accounts = new Map<string, Account>();
  let virtualTime = 0;
  let totalUse = 0;

  const recentUse = ({ recent: { use, at } }: Account): number =>
    use === 0 ? 0 : use * 2 ** ((at - totalUse) / recentHalfLife);

  /** Drops accounts that have not exceeded their share. If too many are left, all start again. */
  function forget(): void {
    for (const [name, { usedUntil }] of accounts) {
      if (usedUntil <= virtualTime) accounts.delete(name);
    }
    if (accounts.size > maximumAccounts) accounts.clear();
  }

  return {
    accountOf: (name) => {
      const known = accounts.get(name);
      if (known !== undefined) return known;
      const account: Account = { name, usedUntil: 0, recent: { use: 0, at: 0 } };
      accounts.set(name, account);
      if (accounts.size > maximumAccounts) forget();
      return account;
    },
    charge: (account, cost) => {
      account.usedUntil = Math.max(virtualTime, account.usedUntil) + cost;
    },
    noteUse: (account, cost) => {
      account.recent = { use: recentUse(account) + cost, at: totalUse };
      totalUse += cost;
    },
    placeOf: (account) => totalUse + recentUse(account),
    virtualTime: () => virtualTime,
    shareAmong: (lanes, cost) => {
      virtualTime += cost / lanes;
    },
    advanceTo: (start) => {
      virtualTime = Math.max(virtualTime, start);
    },
  };
}
