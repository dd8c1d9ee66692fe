// Looks at screens and dialogs one after the other, at three widths and in both themes: nothing that axe
// finds, nothing that scrolls sideways, and pictures of each.

import type { Page } from 'playwright-core';
import { assertAccessible, assertNotWider, narrow, takePicture } from './dashboard.ts';

/** The screens that are looked at, and how to get there from the sight before. */
export type Sight = { readonly what: string; readonly reach: (page: Page) => Promise<unknown> };

/** The looks at a screen; axe and the pictures leave out the width between the others. */
const looks = [
  { width: 768, theme: 'light' },
  { width: narrow, theme: 'light' },
  { width: narrow, theme: 'dark' },
  { width: 1280, theme: 'dark' },
  { width: 1280, theme: 'light' },
] as const;

/**
 * True if axe looks at a screen at this width in this theme. Of the four it takes two, which hold both widths
 * and both themes: in turn one pair and the other, so that parts that all screens have are looked at in all
 * four. With SOAK, as `npm run soak` sets it, it takes all four.
 */
function isTested(sight: number, { width, theme }: (typeof looks)[number]): boolean {
  if (width === 768) return false;
  if (process.env['SOAK'] !== undefined) return true;
  return (width === narrow) === ((theme === 'light') === (sight % 2 === 0));
}

/** Looks at each; the page starts where the first one begins. */
export async function lookAtEach(page: Page, sights: readonly Sight[]): Promise<void> {
  for (const [sight, { what, reach }] of sights.entries()) {
    await reach(page);
    for (const look of looks) {
      const { width, theme } = look;
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: theme });
      await assertNotWider(page, what);
      if (isTested(sight, look)) await assertAccessible(page, `${what} at ${width} in ${theme}`);
      if (width !== 768) await takePicture(page, what);
    }
  }
}
