// Bounds the refusals of one user and of one organization that are recorded in an hour. Further refusals are
// answered and counted, but not stored.

export type RecordedRefusals = {
  /** Returns true if one more refusal of the user may be recorded, and counts it. */
  mayRecord(organizationId: string, userId: string): boolean;
  /** Returns the number of unrecorded refusals so far. */
  unrecorded(): number;
};

/** Maximum recorded refusals in one hour. */
export const maximumRecorded = { ofUser: 100, ofOrganization: 1_000 } as const;
/** Maximum organizations with counts. Beyond it, the oldest entry is dropped. */
const maximumOrganizations = 4_096;
const hourMs = 3_600_000;

type Counts = { readonly hour: number; all: number; readonly users: Map<string, number> };

/** Creates the counts of one process. `clock` returns milliseconds since 1970. */
export function createRecordedRefusals(clock: () => number): RecordedRefusals {
  const organizations = new Map<string, Counts>();
  let unrecorded = 0;

  function countsOf(organizationId: string): Counts {
    const hour = Math.floor(clock() / hourMs);
    const known = organizations.get(organizationId);
    if (known?.hour === hour) return known;
    const counts: Counts = { hour, all: 0, users: new Map() };
    organizations.delete(organizationId);
    organizations.set(organizationId, counts);
    const [longestKnown] = organizations.keys();
    if (organizations.size > maximumOrganizations && longestKnown !== undefined) {
      organizations.delete(longestKnown);
    }
    return counts;
  }

  return {
    mayRecord: (organizationId, userId) => {
      const counts = countsOf(organizationId);
      const ofUser = counts.users.get(userId) ?? 0;
      if (ofUser >= maximumRecorded.ofUser || counts.all >= maximumRecorded.ofOrganization) {
        unrecorded += 1;
        return false;
      }
      counts.users.set(userId, ofUser + 1);
      counts.all += 1;
      return true;
    },
    unrecorded: () => unrecorded,
  };
}
