// Keeps the page up to date: a long-polling request reports new and changed activities.

import { Unreachable } from '../../../src/client/errors.ts';
import { isSessionOver, isUnknownSession, type SignedIn } from '../session/session.ts';
import { noteActivity } from './activity_pages.ts';
import { readAgain } from './queries.ts';

const pauseMs = 2_000;
/** Changes within this time cause one refresh. */
const gatheredMs = 300;

/** Follows activities until the signal aborts. Refreshes the visible reads after changes. */
export async function follow({ client }: SignedIn, signal: AbortSignal): Promise<void> {
  let isGathering = false;
  const changed = (): void => {
    if (isGathering) return;
    isGathering = true;
    setTimeout(() => {
      isGathering = false;
      void readAgain();
    }, gatheredMs);
  };
  let wasAway = false;
  while (!signal.aborted) {
    try {
      // The service does not report changes from the time when it was unreachable, so read everything again.
      if (wasAway) {
        await client.query('whoami', {}, { signal });
        wasAway = false;
        changed();
      }
      for await (const activity of client.watch({ signal })) {
        noteActivity(activity);
        changed();
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isUnknownSession(error)) {
        isSessionOver.value = true;
        return;
      }
      wasAway ||= error instanceof Unreachable;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
