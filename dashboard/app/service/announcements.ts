// Messages of the page outside of the screen: read aloud, and shown for some seconds.

import { signal } from '@preact/signals';

type Announcement = {
  readonly text: string;
  /** The activity that it is about. */
  readonly activityId?: string | undefined;
};

export const announcement = signal<Announcement | undefined>(undefined);
const shownMs = 12_000;
let hiding: ReturnType<typeof setTimeout> | undefined;

/** Shows a text in the place of the last one. */
export function announce(text: string, about: Omit<Announcement, 'text'> = {}): void {
  clearTimeout(hiding);
  announcement.value = { text, ...about };
  hiding = setTimeout(() => {
    announcement.value = undefined;
  }, shownMs);
}
