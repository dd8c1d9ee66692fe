// Texts of errors that programs written for the API family match. They stay, whatever else an error says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesBelow, textOf } from '../../architecture/sources.ts';

const knownTexts = [
  'no valid authentication signature found for request',
  'could not find public key in organization',
  'could not find public key in organization or its parent organization',
  'credential ID could not be found in organization or its parent organization',
  'could not verify WebAuthN signature',
  'could not verify api key signature',
  'more than one suborg associated with a public key',
  'expired api key',
  'malformed activity stamp',
  'could not extract webauthn stamp',
  'could not extract api key stamp',
  'cannot authenticate public API activity request without a stamp (',
  'request not authorized',
  'authentication failed',
  "You don't have sufficient permissions to take this action. Please add a policy granting this user permissions.",
  'No policies evaluated to outcome: Allow',
  'The following policies denied this action',
  'no organization found with the given ID',
  'No activity found with fingerprint. Consensus activities must target an existing activity by fingerprint',
  'Could not find any resource to sign with. Addresses are case sensitive',
  'malformed organization ID provided',
  'bad request body',
  'organization mismatch: request is targeting organization',
  'invalid request body: missing field',
  'quorum threshold must be non-zero integer',
  'quorum users missing',
  'invalid api key expiration',
  'invalid authenticator attestation',
  'user missing valid credential',
  'invalid email address',
  'invalid OIDC token',
  'invalid path',
  'invalid address format',
  'invalid curve',
  'invalid payload encoding',
  'invalid hash function',
  'expected a 32-bytes-long digest',
  'failed to parse transaction',
  'wallet account not part of your organization',
  'wallet account has not been exported',
  'invalid magic link template',
  'failed to get email template contents',
  'failed to unmarshal template variables',
  'Max number of OTPs have been initiated',
  'Too many requests. Please wait and try again in a few seconds',
  'internal server error (',
];

test('the texts that public clients match stand in the sources', () => {
  const sources = filesBelow('src').map(textOf).join('\n');
  assert.deepEqual(
    knownTexts.filter((text) => !sources.includes(text)),
    [],
  );
});
