// Looks at screens and dialogs one after the other, at three widths and in both themes: nothing that axe
// finds, nothing that scrolls sideways, and pictures of each.

import type { Page } from 'playwright-core';
import { assertAccessible, assertNotWider, takePicture } from './dashboard.ts';

/** The screens that are looked at, and how to get there from the sight before. */
export type Sight = { readonly what: string; readonly reach: (page: Page) => Promise<unknown> };

const widths = { narrow: 320, middle: 768, wide: 1280 };

/** Looks at each; the page starts where the first one begins. */
export async function lookAtEach(page: Page, sights: readonly Sight[]): Promise<void> {
  const resize = (width: number) => page.setViewportSize({ width, height: 900 });
  for (const { what, reach } of sights) {
    await reach(page);
    await resize(widths.middle);
    await assertNotWider(page, what);
    // Both themes put everything at the same place, and differ in colours.
    await resize(widths.narrow);
    await assertNotWider(page, what);
    await assertAccessible(page, `${what} at ${widths.narrow} in light`);
    await takePicture(page, what);
    await page.emulateMedia({ colorScheme: 'dark' });
    await takePicture(page, what);
    await resize(widths.wide);
    await assertNotWider(page, what);
    await assertAccessible(page, `${what} at ${widths.wide} in dark`);
    await takePicture(page, what);
    await page.emulateMedia({ colorScheme: 'light' });
    await assertAccessible(page, `${what} at ${widths.wide} in light`);
    await takePicture(page, what);
  }
}
