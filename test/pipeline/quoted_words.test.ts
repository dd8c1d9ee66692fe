import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../support/harness.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

/** Long words in which every cut falls inside of a character, at even or odd lengths. */
const words = ['😀'.repeat(300), `x${'😀'.repeat(300)}`];

// Strict JSON decoders refuse an answer with half a character.
for (const [i, word] of words.entries()) {
  test(`an error never quotes half a character of a client (${i})`, async () => {
    const answers = await Promise.all([
      service.submit('create_wallet', word, {}),
      service.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', { [word]: 1 }),
      service.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', {
        walletName: 'w',
        accounts: word,
      }),
      service.query('whoami', {}, { organizationId: word }),
    ]);
    for (const { status, body } of answers) {
      assert.equal(status, 400);
      const said = JSON.stringify(body);
      assert.ok(said.includes('😀'), said);
      assert.doesNotMatch(said, /\\ud[89ab]/);
    }
  });
}
