// Messages outside of the screen, which screen readers read aloud. Each shows for twelve seconds.

import { signal } from '@preact/signals';

type Announcement = {
  readonly text: string;
  /** The activity to link to. */
  readonly activityId?: string | undefined;
};

export const announcement = signal<Announcement | undefined>(undefined);
const shownMs = 12_000;
let hiding: ReturnType<typeof setTimeout> | undefined;

/** Shows a message in place of the last one. */
export function announce(text: string, about: Omit<Announcement, 'text'> = {}): void {
  clearTimeout(hiding);
  announcement.value = { text, ...about };
  hiding = setTimeout(() => {
    announcement.value = undefined;
  }, shownMs);
}
