export { get_ip_allowlist } from './get_ip_allowlist.ts';
export { remove_ip_allowlist } from './remove_ip_allowlist.ts';
export { set_ip_allowlist } from './set_ip_allowlist.ts';
