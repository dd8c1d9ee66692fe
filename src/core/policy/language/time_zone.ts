// The time that a zone's clocks show, from the time zone data of the runtime. Nothing here reads a clock.

/** A stretch of time with one offset: from `startMs` inclusive to `endMs` exclusive. */
type Stretch = {
  readonly startMs: number;
  readonly endMs: number;
  /** Local time minus UTC. */
  readonly offsetMs: number;
};

/** More than there are names, so that no set of policies can make one zone displace another. */
const maximumZones = 1_024;
const maximumStretches = 8;

/** Recently used periods, newest first: computing a period costs a hundred times more than using it. */
const recentStretches = new Map<string, Stretch[]>();

/**
 * The zone of a name in the IANA time zone database, in its usual spelling; undefined for any other
 * text. Offsets (`+02:00`) are no names.
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

/** The stretch around an instant (milliseconds since 1970) in a zone that `timeZoneOf` returned. */
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
  // The search for the previous change begins before its instant, and a change may be this one.
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
