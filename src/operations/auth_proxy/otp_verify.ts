import { answerText, object, optional, text, uuid } from '../../core/schema/schema.ts';
import { apiPublicKey } from '../credential_shapes.ts';
import { verifyCode } from './one_time_codes.ts';
import { proxy } from './proxy_operation.ts';

export const otp_verify = proxy({
  summary: 'Exchanges an unencrypted one-time code for a verification token.',
  body: object({
    otpId: uuid(),
    otpCode: text({ maximum: 1000 }),
    publicKey: optional(apiPublicKey()),
  }),
  response: object({ verificationToken: answerText() }),
  answer: (call, body) => verifyCode(call, body, 'ACTIVITY_TYPE_VERIFY_OTP'),
});
