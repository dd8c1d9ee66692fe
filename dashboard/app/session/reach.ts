// Reports whether the service answers. Each request of the page goes through `watchedFetch`.

import { effect, signal } from '@preact/signals';

/** No answer came to the last request. */
export const isAway = signal(false);

const unavailable: readonly number[] = [502, 503, 504];

/** `fetch`, noting whether an answer came. What its signal ended says nothing. */
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

// The page resumes without an action of the user.
effect(() => {
  if (!isAway.value) return undefined;
  const ask = () => watchedFetch('/dashboard/config.json').catch(() => undefined);
  const timer = setInterval(() => void ask(), askAgainMs);
  return () => clearInterval(timer);
});
