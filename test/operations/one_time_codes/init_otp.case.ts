import { activityCase } from '../case.ts';
import { describedOtp } from './otp_requests.ts';

export default activityCase({
  types: 'INIT_OTP_V3 INIT_OTP_V2 INIT_OTP',
  subject: 'OTP CREATE',
  // Codes that only show who holds a contact belong where they are requested.
  rule: 'policies',
  calls: [{ parameters: () => describedOtp() }],
});
