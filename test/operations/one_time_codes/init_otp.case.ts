import { activityCase } from '../case.ts';
import { describedOtp } from './otp_requests.ts';

export default activityCase({
  types: 'INIT_OTP_V3 INIT_OTP_V2 INIT_OTP',
  subject: 'OTP CREATE',
  // Codes that only prove a contact belong to the organization of the request.
  rule: 'policies',
  calls: [{ parameters: () => describedOtp() }],
});
