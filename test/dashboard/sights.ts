// Checks screens and dialogs one after the other, at three widths and in both themes: axe, sideways
// scrolling, broken words, and pictures.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible, assertNotWider, narrow, takePicture } from './dashboard.ts';

/** A screen to check, and how to reach it from the previous one. */
export type Sight = { readonly what: string; readonly reach: (page: Page) => Promise<unknown> };

/** Widths and themes of the checks. The width of 768 pixels is only checked for sideways scrolling. */
const looks = [
  { width: 768, theme: 'light' },
  { width: narrow, theme: 'light' },
  { width: narrow, theme: 'dark' },
  { width: 1280, theme: 'dark' },
  { width: 1280, theme: 'light' },
] as const;

/**
 * Returns true if axe checks this width and theme. Of four combinations it checks two that contain both
 * widths and both themes. Screens alternate between the two pairs, so shared parts are checked in all four.
 * With SOAK, every screen is checked in all four.
 */
function isTested(sight: number, { width, theme }: (typeof looks)[number]): boolean {
  if (width === 768) return false;
  if (process.env['SOAK'] !== undefined) return true;
  return (width === narrow) === ((theme === 'light') === (sight % 2 === 0));
}

/**
 * Replaces each time by the longest text, because the width of a table depends on the current time. Times in
 * the future are a day later, so that a request in a picture expires after it was made.
 */
const showLongestTimes = `for (const time of document.querySelectorAll('time')) {
  if (!/:[0-9]/.test(time.textContent)) continue;
  const day = Date.parse(time.dateTime) > Date.now() ? 31 : 30;
  time.firstChild.data = 'Dec ' + day + ', 2026, 12:58 PM UTC';
}`;

/** Returns the words that stand on two lines, outside of code. */
const brokenWords = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const found = new Set();
  for (let text; (text = texts.nextNode()) !== null; ) {
    const parent = text.parentElement;
    // Texts for screen readers alone are one pixel wide.
    if (parent.offsetWidth === 1 || parent.closest('code, pre, .code, .hidden, svg') !== null) continue;
    for (const { 0: word, index } of text.data.matchAll(/(?<![\\w/-])[A-Za-z]{2,14}(?![\\w/-])/g)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.add(word);
    }
  }
  return [...found];
})()`;

/** Checks each screen. The page must be where the first one begins. */
export async function lookAtEach(page: Page, sights: readonly Sight[]): Promise<void> {
  for (const [sight, { what, reach }] of sights.entries()) {
    await reach(page);
    await page.evaluate(showLongestTimes);
    for (const look of looks) {
      const { width, theme } = look;
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: theme });
      await assertNotWider(page, what);
      const broken = await page.evaluate(brokenWords);
      assert.deepEqual(broken, [], `words of ${what} that break at ${width}`);
      if (isTested(sight, look)) await assertAccessible(page, `${what} at ${width} in ${theme}`);
      if (width !== 768) await takePicture(page, what);
    }
  }
}
