import type { Sender, TestAnswer, TestService } from '../../support/harness.ts';

export const setList = (service: TestService, parameters: object, as: Sender = {}) =>
  service.submit('set_ip_allowlist', 'ACTIVITY_TYPE_SET_IP_ALLOWLIST', parameters, as);

export const rulesOf = (...cidrs: readonly string[]) => cidrs.map((cidr) => ({ cidr }));

/** Runs a function whose requests come from an address. */
export async function from(
  service: { remoteAddress: string },
  address: string,
  send: () => Promise<TestAnswer>,
): Promise<TestAnswer> {
  const before = service.remoteAddress;
  service.remoteAddress = address;
  try {
    return await send();
  } finally {
    service.remoteAddress = before;
  }
}
