import { answerText, object } from '../../core/schema/schema.ts';
import { askedFor, sendCode } from './one_time_codes.ts';
import { proxy } from './proxy_operation.ts';

export const otp_init = proxy({
  summary: 'Sends a one-time code, which the client returns unencrypted.',
  body: askedFor,
  response: object({ otpId: answerText() }),
  takesCaptcha: true,
  answer: async (call, body) => {
    const { otpId } = await sendCode(call, body, 'ACTIVITY_TYPE_INIT_OTP_V2');
    return { otpId: String(otpId) };
  },
});
