import { proxy } from './proxy_operation.ts';
import { firstBody, shared } from './sign_up.ts';

export const signup = proxy({ ...shared, body: firstBody });
