// Tasks of a page's main thread, measured in processor time, which other load does not increase.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

type TraceEvent = {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of thread time. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
};

/** Returns the processor time of the longest task during an action, in milliseconds. */
export async function longestTaskMs(page: Page, act: () => Promise<void>): Promise<number> {
  const browser = page.context().browser();
  assert(browser !== null);
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ name, pid, tid, tdur }) =>
      name.endsWith('RunTask') && tdur !== undefined && main.has(`${pid} ${tid}`),
  );
  assert(tasks.length > 0, 'tasks were traced');
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000));
}

/** Returns the processor time of all tasks of the page's main thread during an action, in milliseconds. */
export async function tasksMs(page: Page, act: () => Promise<void>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spentMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const found = metrics.find(({ name }) => name === 'TaskDuration');
    return 1000 * (found?.value ?? assert.fail('there is a metric of tasks'));
  };
  const begin = await spentMs();
  await act();
  const spent = (await spentMs()) - begin;
  await session.detach();
  return spent;
}
