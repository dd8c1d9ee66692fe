export { create_authenticators } from './create_authenticators.ts';
export { delete_authenticators } from './delete_authenticators.ts';
export { get_authenticator } from './get_authenticator.ts';
export { get_authenticators } from './get_authenticators.ts';
