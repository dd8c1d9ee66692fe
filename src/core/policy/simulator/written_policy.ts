/** Returns a policy as the file of a policy test writes it, without the clauses that it lacks. */
export function writtenPolicy(
  policyName: string,
  {
    effect,
    condition,
    consensus,
    time,
  }: {
    readonly effect: string;
    readonly condition?: string | undefined;
    readonly consensus?: string | undefined;
    readonly time?: string | undefined;
  },
) {
  const given = Object.entries({ condition, consensus, time }).filter(([, text]) => text);
  return { policyName, effect, ...Object.fromEntries(given) };
}
