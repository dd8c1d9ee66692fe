import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inboxPage, pageHeaders, prefersHtml } from '../../../src/gateway/development/page.ts';

const shown = (...texts: Parameters<typeof inboxPage>) =>
  Buffer.from(inboxPage(...texts)).toString();

test('messages are shown as text, and the page allows no script', () => {
  const page = shown('Inbox', 'None.', [
    { heading: '<script>alert(1)</script>', text: `"&'</pre><img src=x onerror=alert(1)>` },
  ]);
  assert.doesNotMatch(page, /<script|<img/);
  assert.match(page, /<h2>&#60;script&#62;alert\(1\)&#60;\/script&#62;<\/h2>/);
  assert.match(page, /<pre>&#34;&#38;&#39;&#60;\/pre&#62;/);
  assert.match(pageHeaders['content-security-policy'], /^default-src 'none'/);
});

test('an empty inbox is named as such', () => {
  assert.match(shown('Inbox', 'No messages yet.', []), /<p>No messages yet\.<\/p>/);
});

test('browsers get pages, programs get JSON', () => {
  for (const accept of ['text/html', 'text/html,application/xhtml+xml;q=0.9', 'Text/HTML;q=1']) {
    assert.equal(prefersHtml(accept), true, accept);
  }
  for (const accept of [undefined, '', '*/*', 'application/json, text/html', 'text/htmlx']) {
    assert.equal(prefersHtml(accept), false, String(accept));
  }
});
