import type { HttpLimits } from '../../src/gateway/http/options.ts';
import { readSettings } from '../../src/settings.ts';

/** The limits of a service that sets none, but for small bodies. */
export const testLimits: HttpLimits = {
  ...readSettings({}, []),
  bodyLimitBytes: 1_000,
  bodyMemoryBytes: 1_000_000,
};
