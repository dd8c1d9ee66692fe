// Sampling of traces.

/** The bit of the flags of a `traceparent` by which its sender says that it records the trace. */
const sampledFlag = 0x01;

/**
 * Decides whether to trace; `random` gives numbers from 0 up to 1. A caller's flag counts only where the
 * operator allows it. Otherwise neither the flag nor the trace id has a say: an outsider chooses both.
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
