// Looks at screens and dialogs one after the other, at three widths: nothing that axe finds, nothing that
// scrolls sideways, and a picture of each.

import type { Page } from 'playwright-core';
import { assertAccessible, lookAt } from './dashboard.ts';

/** The screens that are looked at, and how to get there from the sight before. */
export type Sight = { readonly what: string; readonly reach: (page: Page) => Promise<unknown> };

const widths = [320, 768, 1280];

/** Looks at each; the page starts where the first one begins. */
export async function lookAtEach(
  page: Page,
  sights: readonly Sight[],
  theme: 'light' | 'dark',
): Promise<void> {
  for (const { what, reach } of sights) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await reach(page);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await lookAt(page, what);
      if (width !== 768) await assertAccessible(page, `${what} at ${width} in ${theme}`);
    }
  }
}
