import { activityCase } from '../case.ts';
import { describedLogin } from './otp_requests.ts';

export default activityCase({
  types: 'OTP_LOGIN_V2 OTP_LOGIN',
  subject: 'AUTH CREATE',
  rule: 'policies',
  parentActs: true,
  calls: [{ parameters: ({ verificationToken }) => describedLogin(verificationToken) }],
});
