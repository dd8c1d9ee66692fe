import { sign_raw_payload } from './sign_raw_payload.ts';
import { sign_raw_payloads } from './sign_raw_payloads.ts';
import { sign_transaction } from './sign_transaction.ts';

export const signingActivities = { sign_raw_payload, sign_raw_payloads, sign_transaction };
