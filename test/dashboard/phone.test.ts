// The dashboard on a phone: it can be installed, and a user approves with one thumb.

import assert from 'node:assert/strict';
import { addPasskey, dashboardOfThisFile, goTo, test } from './dashboard.ts';

const dashboard = await dashboardOfThisFile();

test('a browser reads the manifest without an error, with icons that the service serves', async () => {
  const page = await dashboard.open();
  const session = await page.context().newCDPSession(page);
  const { url, errors, data } = await session.send('Page.getAppManifest');
  assert.equal(url, `${dashboard.origin()}/dashboard/manifest.webmanifest`);
  assert.deepEqual(errors, []);
  const { start_url: start, scope, icons } = JSON.parse(data ?? '');
  assert.deepEqual([start, scope], ['/dashboard/', '/dashboard/']);
  assert.equal(icons.length, 2);
  for (const { src, type, sizes } of icons) {
    const answer = await fetch(new URL(src, url));
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), type);
    const png = new DataView(await answer.arrayBuffer());
    assert.equal(`${png.getUint32(16)}x${png.getUint32(20)}`, sizes);
  }
});

test('an open approval shows its amount and both buttons, and the buttons stay visible', async () => {
  const page = await dashboard.openAs('bob', { width: 390, path: 'approvals' });
  await goTo(page, 'Approvals');
  const approval = page.getByRole('article', { name: /^Sign transaction requested by alice$/ });
  const approve = approval.getByRole('button', { name: /^Approve/ });
  const reject = approval.getByRole('button', { name: 'Reject' });
  await approve.waitFor();
  await approval.getByText('0.5 ETH').first().waitFor();
  const inSight = async (what: typeof approve) => {
    const { y, height } = (await what.boundingBox()) ?? assert.fail('it is shown');
    return y >= 0 && y + height <= 900;
  };
  assert(await inSight(approval.getByText('0.5 ETH').first()));
  for (const button of [approve, reject]) {
    assert(await inSight(button));
    // Touch targets need 44 pixels.
    assert(((await button.boundingBox())?.height ?? 0) >= 44);
  }
  await approval.getByText('Comparison code', { exact: true }).scrollIntoViewIfNeeded();
  assert(await inSight(approve));
});

test('the buttons of the banner work below a notice', async () => {
  const page = await dashboard.openAs('carol', { width: 390 });
  await addPasskey(page);
  const notice = page.locator('.toast p');
  const menu = page.getByRole('button', { name: 'Menu' });
  assert(await notice.isVisible());
  await menu.click({ timeout: 5_000 });
  assert.equal(await menu.getAttribute('aria-expanded'), 'true');
  assert(await notice.isVisible());
  // Browsers mark the focus if the last input came from the keyboard.
  await page.keyboard.press('Tab');
  await menu.focus();
  assert.equal(
    await page.locator('.toast').evaluate((toast) => getComputedStyle(toast).opacity),
    '0',
  );
});
