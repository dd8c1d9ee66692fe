/** The flag in a `traceparent` by which its sender reports that it records the trace. */
const sampledFlag = 0x01;

/**
 * Decides whether to trace. `random` returns numbers from 0 up to 1. A caller's flag counts only if the
 * operator allows it. Otherwise neither the flag nor the trace id counts, because outsiders choose both.
 */
export function isSampled(
  parent: { readonly traceFlags: number } | undefined,
  rules: {
    readonly ratio: number;
    readonly followsCallers: boolean;
    readonly random: () => number;
  },
): boolean {
  if (rules.followsCallers && parent !== undefined) return (parent.traceFlags & sampledFlag) !== 0;
  return rules.random() < rules.ratio;
}
