import { firstLogin, logIn, session } from './one_time_codes.ts';
import { proxy } from './proxy_operation.ts';

export const otp_login = proxy({
  summary: 'Starts a session for a user with a verified contact.',
  body: firstLogin,
  response: session,
  answer: (call, body) => logIn(call, body, 'ACTIVITY_TYPE_OTP_LOGIN'),
});
