// Tracks the availability of the service. All requests of the page use `watchedFetch`.

import { effect, signal } from '@preact/signals';

/** True if the last request failed or returned 502, 503 or 504. */
export const isAway = signal(false);

const unavailable: readonly number[] = [502, 503, 504];

/** Fetches, and updates `isAway`. An aborted request leaves `isAway` unchanged. */
export const watchedFetch: typeof fetch = async (input, init) => {
  try {
    const answer = await fetch(input, init);
    isAway.value = unavailable.includes(answer.status);
    return answer;
  } catch (error) {
    if (init?.signal?.aborted !== true) isAway.value = true;
    throw error;
  }
};

const askAgainMs = 2_000;

// Polls while the service is away, so the page recovers without the user.
effect(() => {
  if (!isAway.value) return undefined;
  const ask = () => watchedFetch('/dashboard/config.json').catch(() => undefined);
  const timer = setInterval(() => void ask(), askAgainMs);
  return () => clearInterval(timer);
});
