import { object } from '../../core/schema/schema.ts';
import { clientSignature } from '../credential_shapes.ts';
import { logIn, login, session } from './one_time_codes.ts';
import { proxy } from './proxy_operation.ts';

export const otp_login_v2 = proxy({
  summary:
    'Starts a session for a user with a verified contact who signs with the key of the token.',
  body: object({ ...login, clientSignature: clientSignature() }),
  response: session,
  answer: (call, body) => logIn(call, body),
});
