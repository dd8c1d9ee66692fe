export { sign_raw_payload } from './sign_raw_payload.ts';
export { sign_raw_payloads } from './sign_raw_payloads.ts';
export { sign_transaction } from './sign_transaction.ts';
