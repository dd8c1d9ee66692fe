// Thread time used by each account, in virtual time: the time at which a piece would have begun, had
// all accounts shared the thread evenly.

/** The use of one account. */
export type Account = {
  readonly name: string;
  /** The virtual time up to which it has had the thread. */
  usedUntil: number;
};

/** Accounts that are remembered; those that owe nothing are forgotten first. */
export const maximumAccounts = 4_096;

export type AccountUsage = {
  /** Returns the account of a name, a new one where it is not remembered. */
  accountOf(name: string): Account;
  charge(account: Account, cost: number): void;
  /** Returns when the piece that was begun last would have begun. */
  virtualTime(): number;
  /** Notes when the next piece would begin; virtual time never goes back. */
  advanceTo(start: number): void;
};

export function createAccountUsage(): AccountUsage {
  const accounts = new Map<string, Account>();
  let virtualTime = 0;

  /** Forgets accounts that have used no more than all; where too many are left, all start anew. */
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
      const account: Account = { name, usedUntil: 0 };
      accounts.set(name, account);
      if (accounts.size > maximumAccounts) forget();
      return account;
    },
    charge: (account, cost) => {
      account.usedUntil = Math.max(virtualTime, account.usedUntil) + cost;
    },
    virtualTime: () => virtualTime,
    advanceTo: (start) => {
      virtualTime = Math.max(virtualTime, start);
    },
  };
}
