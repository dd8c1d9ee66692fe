// A verification token has one use of any kind: after one use, every other use in the same organization is
// refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, type TestService, testKey } from '../../support/harness.ts';
import {
  alice,
  childWithAlice,
  loginSignature,
  otpLogin,
  usageSignature,
  verifiedToken,
} from './otp_requests.ts';

type Child = Awaited<ReturnType<typeof childWithAlice>>;
type Use = (service: TestService, child: Child, token: string) => ReturnType<TestService['submit']>;

const uses: Readonly<Record<string, Use>> = {
  otp_login: (service, { organizationId, key }, verificationToken) => {
    const { publicKey } = testKey('session');
    const clientSignature = loginSignature(verificationToken, publicKey, key);
    const parameters = { verificationToken, publicKey, clientSignature };
    return service.submit(otpLogin.operation, otpLogin.type, parameters, { organizationId });
  },
  update_user_email: (service, { userId, ...child }, verificationToken) => {
    const parameters = { userId, userEmail: alice, verificationToken };
    return service.submit(
      'update_user_email',
      'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
      parameters,
      child,
    );
  },
  create_sub_organization: (service, { key }, verificationToken) => {
    const credentials = { apiKeys: [], authenticators: [], oauthProviders: [] };
    const usage = { type: 'USAGE_TYPE_SIGNUP', signupV2: { email: alice } };
    return service.submit('create_sub_organization', 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', {
      subOrganizationName: 'Signed up',
      rootUsers: [{ userName: 'Alice', userEmail: alice, ...credentials }],
      rootQuorumThreshold: 1,
      verificationToken,
      clientSignature: usageSignature(verificationToken, usage, key),
    });
  },
};

for (const [first, useFirst] of Object.entries(uses)) {
  for (const [second, useSecond] of Object.entries(uses)) {
    test(`a token that was used for ${first} is refused for ${second}`, async (t) => {
      const service = await startTestService();
      t.after(() => service.close());
      const child = await childWithAlice(service);
      const token = await verifiedToken(service, { key: child.key });
      const used = await useFirst(service, child, token);
      assert.equal(used.status, 200, JSON.stringify(used.body));
      const again = await useSecond(service, child, token);
      assert.equal(again.status, 400, JSON.stringify(again.body));
      assert.match(again.body.message, /^invalid verification token: it was used before$/);
    });
  }
}
