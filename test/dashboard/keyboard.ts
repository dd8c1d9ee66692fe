// A user with only a keyboard: moves with Tab, and checks that the focus is visible.

import assert from 'node:assert/strict';
import type { CDPSession, Locator, Page } from 'playwright-core';
import { until } from '../e2e/service.ts';
import { nextFrame, openGoTo } from './dashboard.ts';

const maximumStops = 200;

export type Keyboard = {
  /** Moves to an element by Tab. Checks that it is marked and visible, and that nothing is too wide. */
  reach(element: Locator): Promise<void>;
  /** Moves to an element, and presses a key. Default: Enter. */
  press(element: Locator, key?: string): Promise<void>;
  /** Moves to a field, and replaces its text. */
  write(element: Locator, text: string): Promise<void>;
  /** Moves to a select field, and selects an option by the arrow keys. */
  choose(element: Locator, option: RegExp): Promise<void>;
  /** Moves to a radio group, and selects another option by the arrow keys. */
  chooseRadio(group: Locator, name: string): Promise<void>;
  /** Opens the menu of a narrow page, and goes to a screen. */
  goTo(screen: string): Promise<void>;
  /** Types into the dialog "Go to", and opens the first match. */
  jump(text: string, found: RegExp): Promise<void>;
};

/** Records each use of a pointer on pages that load afterwards. */
export async function noPointers(page: Page, wrong: string[]): Promise<void> {
  await page.exposeFunction('reportPointer', (where: string) => wrong.push(where));
  await page.addInitScript(
    `for (const kind of ['pointerdown', 'mousedown', 'touchstart'])
      addEventListener(kind, () => reportPointer(kind), true);`,
  );
}

export function keyboardOf(page: Page): Keyboard {
  const notice = page.getByRole('status').and(page.locator('.toast')).locator('p');
  const tabs = tabsOf(page);

  /**
   * Presses Tab until an element has the focus, or was replaced. A locator would search it at each stop.
   * Presses Tab as often at a time as there are stops before the element: each look costs several times as
   * much as a press.
   */
  async function tabTo(element: Locator, stopped: (count: number) => void): Promise<void> {
    const found = await element.elementHandle();
    const stopsBefore = () => found?.evaluate<number, SVGElement | HTMLElement>(countStops);
    for (let count = await stopsBefore(); count; count = await stopsBefore()) {
      stopped(count);
      await tabs(count);
    }
    await found?.dispose();
  }

  async function reach(element: Locator): Promise<void> {
    await element.waitFor();
    // A button with serious consequences is disabled until it was visible for a second.
    await element.and(page.locator(':not(:disabled)')).waitFor();
    // A change of screen and a dialog move the focus after they appear.
    await nextFrame(page);
    let stops = 0;
    const look = () =>
      element.evaluate((found) => {
        const { outlineStyle, backgroundColor } = getComputedStyle(found);
        const { host, activeElement } = found.getRootNode() as ShadowRoot;
        const marked = host === undefined ? found : (found.closest('.cm-editor') ?? found);
        const isMarked =
          getComputedStyle(marked).outlineStyle !== 'none' ||
          outlineStyle !== 'none' ||
          (found.getAttribute('role') === 'menuitem' && backgroundColor !== 'rgba(0, 0, 0, 0)');
        const { left, right, top, bottom } = found.getBoundingClientRect();
        // The center of the visible part.
        const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
        const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
        const there = document.elementFromPoint(x, y);
        const own = host ?? found;
        const isInSight = there !== null && (own.contains(there) || there.contains(own));
        const width = document.documentElement.scrollWidth - innerWidth;
        return { hasFocus: activeElement === found, isMarked, isInSight, width };
      });
    await until(`${element} is marked and in sight, and nothing too wide`, async () => {
      // Retry if the page changed meanwhile: a new first row takes the place of another one.
      await tabTo(element, (count) => {
        assert(stops < maximumStops, `Tab does not lead to ${element}`);
        stops += count;
      });
      const seen = await look();
      // On narrow pages a notice lies over the banner for seconds.
      if (!seen.isInSight) await notice.waitFor({ state: 'detached' });
      assert.deepEqual(seen, { hasFocus: true, isMarked: true, isInSight: true, width: 0 });
      return true;
    });
  }

  async function press(element: Locator, key = 'Enter'): Promise<void> {
    await reach(element);
    await page.keyboard.press(key);
  }

  return {
    reach,
    press,
    write: async (element, text) => {
      await reach(element);
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(text);
    },
    choose: async (element, option) => {
      const options = element.locator('option');
      await options.filter({ hasText: option }).first().waitFor({ state: 'attached' });
      await reach(element);
      await page.keyboard.press('Home');
      const shown = () =>
        element.evaluate((field) => (field as HTMLSelectElement).selectedOptions[0]?.text ?? '');
      let last: string | undefined;
      for (let now = await shown(); !option.test(now); now = await shown()) {
        assert.notEqual(now, last, `${element} has no ${option}`);
        last = now;
        await page.keyboard.press('ArrowDown');
      }
    },
    chooseRadio: async (group, name) => {
      await reach(group.getByRole('radio', { checked: true }));
      const wanted = group.getByRole('radio', { name });
      for (let step = 0; !(await wanted.isChecked()); step += 1) {
        assert(step < 10, `${group} has no ${name}`);
        await page.keyboard.press('ArrowDown');
      }
    },
    goTo: async (screen) => {
      await press(page.getByRole('button', { name: 'Menu' }));
      await press(
        page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: screen }),
      );
      await page.getByRole('heading', { level: 1, name: screen }).waitFor();
    },
    jump: async (text, found) => {
      const dialog = await openGoTo(page);
      await page.keyboard.insertText(text);
      await dialog.getByRole('option').first().filter({ hasText: found }).waitFor();
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
    },
  };
}

/** The debuggers of pages that press Tab. */
const debuggers = new WeakMap<Page, Promise<CDPSession>>();

/** Returns a function that presses Tab several times, without waiting for each press to be handled. */
function tabsOf(page: Page): (count: number) => Promise<void> {
  const key = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 };
  return async (count) => {
    const session = await debuggers.getOrInsertComputed(page, () =>
      page.context().newCDPSession(page),
    );
    await Promise.all(
      Array.from({ length: count }, () => [
        session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key }),
        session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key }),
      ]).flat(),
    );
  };
}

/**
 * Counts the stops from the focus to an element, both as Tab visits them: 0 if the element has the focus or
 * was replaced. The count is only an estimate, at least 1. Runs inside the page.
 */
function countStops(element: SVGElement | HTMLElement): number {
  const scope = element.getRootNode() as Document | ShadowRoot;
  if (!element.isConnected || scope.activeElement === element) return 0;
  const stops: Element[] = [];
  const collect = (root: ParentNode) => {
    for (const each of root.querySelectorAll<HTMLInputElement>('*')) {
      if (each.shadowRoot !== null) collect(each.shadowRoot);
      const isInGroup = each.type === 'radio' && !each.checked && each !== element;
      const isStop = each.tabIndex >= 0 || each.contentEditable === 'true';
      if (!isStop || each.disabled || isInGroup || each.shadowRoot !== null) continue;
      if (each.checkVisibility({ visibilityProperty: true })) stops.push(each);
    }
  };
  collect(document.querySelector('dialog:modal') ?? document);
  const host = document.activeElement;
  const focus = host?.shadowRoot?.activeElement ?? host ?? document.body;
  // The focus may be on a heading, which is not a stop.
  const isBehind = (each: Element) =>
    (focus.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const from = stops.includes(focus) ? stops.indexOf(focus) + 1 : stops.findIndex(isBehind);
  const to = stops.indexOf(element) + 1;
  const count = to - (from === -1 ? stops.length : from);
  return to === 0 ? 1 : count > 0 ? count : count + stops.length;
}

/** Maximum number of Tab stops on one page. */
const triedStops = 150;

/** Tab presses at a time. A look from outside costs several times as much as a press. */
const pressesAtATime = 12;

/**
 * Moves through a page by Tab from its top. Returns the elements that are invisible or without an outline
 * while focused. If all stops were visited, also returns the elements that Tab did not reach.
 */
export async function tabThrough(page: Page): Promise<readonly string[]> {
  const walk = await page.evaluateHandle(startWalk, triedStops);
  const tabs = tabsOf(page);
  let isOver = false;
  // Each round visits at least one stop, and the walk ends after `triedStops`.
  while (!isOver) {
    await tabs(pressesAtATime);
    isOver = await walk.evaluate((begun) => begun.isOver());
  }
  const problems = await walk.evaluate((begun) => begun.end());
  await walk.dispose();
  return problems;
}

/**
 * Starts a walk by Tab at the top of the page. Each press of Tab first looks at the stop of the previous
 * press, and is dropped while an outline is awaited or once the walk is over. Runs inside the page.
 */
function startWalk(most: number) {
  const reached = new Set<Element>();
  const problems: string[] = [];
  const nameOf = (element: Element) =>
    `${element.localName} ${element.ariaLabel ?? element.textContent.trim().slice(0, 60)}`;
  const nextFrame = () => new Promise(requestAnimationFrame);
  let state: 'at the top' | 'looked' | 'moved' | 'waiting' | 'over' = 'at the top';
  let hasVisitedAll = false;
  let waiting: Promise<void> | undefined;

  /** An editor shows its outline on its box, inside of a shadow root. */
  const lookAt = (host: Element) => {
    const element = host.shadowRoot?.activeElement ?? host;
    const marked = element.closest('.cm-editor') ?? element;
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
    const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
    const there = document.elementFromPoint(x, y);
    return {
      isMarked: [element, marked].some((each) => getComputedStyle(each).outlineStyle !== 'none'),
      isInSight: there !== null && (host.contains(there) || there.contains(host)),
    };
  };
  /** Outlines and scrolling may come in a later frame. */
  const lookLater = async (host: Element) => {
    for (let frames = 0; frames < 60 && !lookAt(host).isMarked; frames += 1) await nextFrame();
    await nextFrame();
    const { isMarked, isInSight } = lookAt(host);
    if (!isMarked) problems.push(`not marked: ${nameOf(host)}`);
    else if (!isInSight) problems.push(`out of sight: ${nameOf(host)}`);
    state = reached.size < most ? 'looked' : 'over';
  };
  const look = () => {
    const host = document.activeElement;
    if (host === null || host === document.body || reached.has(host)) {
      hasVisitedAll = true;
      state = 'over';
      return;
    }
    reached.add(host);
    const { isMarked, isInSight } = lookAt(host);
    state = reached.size < most ? 'looked' : 'over';
    if (isMarked && isInSight) return;
    state = 'waiting';
    waiting = lookLater(host);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Tab') return;
    if (state === 'moved') look();
    if (state === 'waiting' || state === 'over') event.preventDefault();
    else state = 'moved';
  };

  addEventListener('keydown', onKey, true);
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
  return {
    isOver: async () => {
      await waiting;
      return state === 'over';
    },
    /** Returns the problems. Tab reaches only one radio button of a group. */
    end: () => {
      removeEventListener('keydown', onKey, true);
      if (!hasVisitedAll) return problems;
      const stops = document.querySelectorAll<HTMLInputElement>(
        'a[href], button, input, select, textarea, summary, [tabindex]',
      );
      const missing = [...stops]
        .filter((each) => each.tabIndex >= 0 && !each.disabled && each.type !== 'radio')
        .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !reached.has(each));
      return [...problems, ...missing.map((each) => `not reached: ${nameOf(each)}`)];
    },
  };
}
