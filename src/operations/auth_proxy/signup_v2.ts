import { proxy } from './proxy_operation.ts';
import { body, shared } from './sign_up.ts';

export const signup_v2 = proxy({ ...shared, body });
