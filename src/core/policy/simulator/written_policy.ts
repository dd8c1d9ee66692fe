/** Returns a policy in the form of a policy test file, without absent clauses. */
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
