// Shared checks of the operations that set one contact of a user.

import assert from 'node:assert/strict';
import type { FeatureName } from '../../../src/core/base/enums.ts';
import type { TestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import {
  describedKey,
  describedUser,
  makeUser,
  makeUsers,
  setFeatures,
  shownUser,
  timestampOf,
} from './user_requests.ts';

/** An operation that sets one contact. */
export type ContactCase = {
  readonly operation: string;
  readonly type: string;
  readonly intent: string;
  readonly result: string;
  /** The member of the parameters and of the user. */
  readonly member: 'userEmail' | 'userPhoneNumber';
  readonly values: readonly [string, string];
  readonly wrong: readonly string[];
  readonly wrongText: RegExp;
  readonly wrongCode: string;
  /** The feature that makes the contact a way to sign in. */
  readonly feature: FeatureName;
};

/** Checks that the contact is set, replaced and removed. */
export async function checkChanges(service: TestService, wanted: ContactCase): Promise<void> {
  const { member, values } = wanted;
  const others = { userEmail: 'other@example.com', userPhoneNumber: '+4930123456' };
  const { [member]: _, ...other } = others;
  const userId = await makeUser(service, 'Alice', other);
  const before = await shownUser(service, userId);
  const parameters = { userId: userId.toUpperCase(), [member]: values[0] };
  const result = await checkActivity(service, {
    ...wanted,
    parameters,
    malformed: [
      { field: 'parameters.userId', parameters: { ...parameters, userId: 'x' } },
      {
        field: 'parameters.verificationToken',
        parameters: { ...parameters, verificationToken: 1 },
      },
      ...wanted.wrong.map((value) => ({
        field: `parameters.${member}`,
        parameters: { ...parameters, [member]: value },
      })),
    ],
  });
  assert.deepEqual(result, { userId });
  const updatedAt = timestampOf(service.now());
  assert.deepEqual(await shownUser(service, userId), { ...before, [member]: values[0], updatedAt });
  // Removing an absent contact is not an error.
  for (const value of [values[1], '', '']) {
    const { operation, type } = wanted;
    const { status } = await service.submit(operation, type, { userId, [member]: value });
    assert.equal(status, 200);
    const { updatedAt: __, ...shown } = await shownUser(service, userId);
    const { updatedAt: ___, ...kept } = before;
    assert.deepEqual(shown, value === '' ? kept : { ...kept, [member]: value });
  }
}

/** Checks refusals: unknown users, tokens, invalid values, and the removal of the last way to sign in. */
export async function checkRefusals(service: TestService, wanted: ContactCase): Promise<void> {
  const { member, values, operation, type, feature } = wanted;
  const userId = await makeUser(service, 'Alice');
  const ofChild = await makeUser(service, 'Of the child', {}, await addChild(service));
  const refuse = (parameters: object, refusal: Parameters<typeof checkRefused>[2]) =>
    checkRefused(service, { operation, type, parameters: { ...parameters } }, refusal);
  for (const id of [unknownId, ofChild]) {
    const text = /^unable to find user /;
    await refuse({ userId: id, [member]: values[0] }, { status: 404, code: 5, text });
  }
  const token = { userId, [member]: values[0], verificationToken: 'e30.e30.e30' };
  const text = /^invalid verification token: /;
  await refuse(token, { status: 400, code: 3, text });
  for (const value of wanted.wrong) {
    const { wrongText, wrongCode: clientCode } = wanted;
    const refusal = { status: 400, code: 3, text: wrongText, clientCode };
    await refuse({ userId, [member]: value }, refusal);
  }

  await setFeatures(service, [feature]);
  const apiKeys = [describedKey('expiring', { expirationSeconds: '900' })];
  const [onlyContact, withExpiring, withKey] = await makeUsers(service, [
    describedUser('Only contact', { [member]: values[0], apiKeys: [] }),
    describedUser('Expiring key', { [member]: values[0], apiKeys }),
    describedUser('Long-lived key', { [member]: values[0] }),
  ]);
  const lastWay = { status: 400, code: 3, text: /^user missing valid credential: / };
  for (const id of [onlyContact, withExpiring]) {
    await refuse({ userId: id, [member]: '' }, lastWay);
    const changed = await service.submit(operation, type, { userId: id, [member]: values[1] });
    assert.equal(changed.status, 200);
  }
  const removed = await service.submit(operation, type, { userId: withKey, [member]: '' });
  assert.equal(removed.status, 200);
  // A contact may be removed once it is no way to sign in.
  await setFeatures(service, []);
  const unused = await service.submit(operation, type, { userId: onlyContact, [member]: '' });
  assert.equal(unused.status, 200);
}
