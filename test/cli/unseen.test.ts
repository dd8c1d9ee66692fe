// Foreign texts in decisions: on the terminal, in the dashboard and in explanations. Invisible and
// direction-changing characters appear as codes, so different texts look different.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shown } from '../../dashboard/app/service/activity_text.ts';
import { jsonText, visible } from '../../src/cli/output/output.ts';
import { shownText } from '../../src/core/transactions/text/shown_text.ts';

const places = { visible, jsonText, shown, shownText };

/** Examples of each kind in Unicode. */
const hidden = {
  'a control': '\u0007',
  'the end of a line': '\u0085',
  'a turn of the order of letters': '\u202e',
  'a joiner of no width': '\u200d',
  'the filler of Hangul, a letter that is a blank': '\u3164',
  'half of that filler': '\uffa0',
  'an initial consonant that shows nothing': '\u115f',
  'a joiner of graphemes': '\u034f',
  'a choice of form': '\ufe0f',
  'one of the choices of form beyond the first plane': '\u{e0101}',
  'a tag': '\u{e0041}',
  'a separator of lines': '\u2028',
  'half of a pair': '\ud800',
};

for (const [place, write] of Object.entries(places)) {
  test(`${place} shows invisible characters as codes`, () => {
    for (const [what, character] of Object.entries(hidden)) {
      const written = write(`0xdead${character}beef`);
      assert.match(written, /^"?0xdead\\u[{0-9a-f}\\u]+beef"?$/, what);
    }
    for (const text of ['Zahlungen für Zoë', 'Оплата', '支払い', 'دفع', '한글', '🔑']) {
      assert.equal(write(text).replaceAll('"', ''), text);
    }
  });
}
