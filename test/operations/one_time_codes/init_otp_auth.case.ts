import { activityCase } from '../case.ts';
import { describedOtp } from './otp_requests.ts';

export default activityCase({
  types: 'INIT_OTP_AUTH_V3 INIT_OTP_AUTH_V2 INIT_OTP_AUTH',
  subject: 'AUTH CREATE',
  rule: 'policies',
  parentActs: true,
  calls: [{ parameters: () => describedOtp() }],
});
