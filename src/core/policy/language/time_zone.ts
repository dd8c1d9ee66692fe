// Local times of time zones, from the time zone data of the runtime. This file never reads a clock.

/** A stretch of time with one offset: from `startMs` inclusive to `endMs` exclusive. */
type Stretch = {
  readonly startMs: number;
  readonly endMs: number;
  /** Local time minus UTC. */
  readonly offsetMs: number;
};

/** More zones than exist, so no set of policies can evict a zone. */
const maximumZones = 1_024;
const maximumStretches = 8;

/** Recently used stretches, newest first. Computing a stretch takes a hundred times longer than using it. */
const recentStretches = new Map<string, Stretch[]>();

/**
 * Returns the canonical name of a zone in the IANA time zone database; undefined for other text, including
 * offsets (`+02:00`).
 */
export function timeZoneOf(name: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return undefined;
  try {
    return zonedTime(name, 0).timeZoneId;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns the stretch around an instant (milliseconds since 1970) in a zone of `timeZoneOf`. */
export function stretchAt(zone: string, instantMs: number): Stretch {
  const stretches = recentStretches.get(zone) ?? [];
  for (const stretch of stretches) {
    if (stretch.startMs <= instantMs && instantMs < stretch.endMs) return stretch;
  }
  const found = findStretch(zone, instantMs);
  if (stretches.length === 0) remember(zone, stretches);
  stretches.unshift(found);
  stretches.splice(maximumStretches);
  return found;
}

function findStretch(zone: string, instantMs: number): Stretch {
  const time = zonedTime(zone, instantMs);
  // The search for the previous change excludes its start, and the instant itself may be a change.
  const start = zonedTime(zone, instantMs + 1).getTimeZoneTransition('previous');
  const end = time.getTimeZoneTransition('next');
  return {
    startMs: start?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    endMs: end?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: time.offsetNanoseconds / 1_000_000,
  };
}

function remember(zone: string, stretches: Stretch[]): void {
  const [oldest] = recentStretches.keys();
  if (recentStretches.size >= maximumZones && oldest !== undefined) recentStretches.delete(oldest);
  recentStretches.set(zone, stretches);
}

const zonedTime = (zone: string, instantMs: number) =>
  Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(zone);
