// Looks at screens and dialogs one after the other, at three widths and in both themes: nothing that axe
// finds, nothing that scrolls sideways, and pictures of each.

import type { Page } from 'playwright-core';
import { assertAccessible, assertNotWider, takePicture } from './dashboard.ts';

/** The screens that are looked at, and how to get there from the sight before. */
export type Sight = { readonly what: string; readonly reach: (page: Page) => Promise<unknown> };

/** Both themes put everything at the same place and differ in colours: axe need not look at all six. */
const looks = [
  { width: 768, theme: 'light', isTested: false, isPictured: false },
  { width: 320, theme: 'light', isTested: true, isPictured: true },
  { width: 320, theme: 'dark', isTested: false, isPictured: true },
  { width: 1280, theme: 'dark', isTested: true, isPictured: true },
  { width: 1280, theme: 'light', isTested: true, isPictured: true },
] as const;

/** Looks at each; the page starts where the first one begins. */
export async function lookAtEach(page: Page, sights: readonly Sight[]): Promise<void> {
  for (const { what, reach } of sights) {
    await reach(page);
    for (const { width, theme, isTested, isPictured } of looks) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: theme });
      await assertNotWider(page, what);
      if (isTested) await assertAccessible(page, `${what} at ${width} in ${theme}`);
      if (isPictured) await takePicture(page, what);
    }
  }
}
