import { get_ip_allowlist } from './get_ip_allowlist.ts';
import { remove_ip_allowlist } from './remove_ip_allowlist.ts';
import { set_ip_allowlist } from './set_ip_allowlist.ts';

export const ipAllowlistActivities = { set_ip_allowlist, remove_ip_allowlist };
export const ipAllowlistQueries = { get_ip_allowlist };
