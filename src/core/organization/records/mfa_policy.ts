import type { AuthenticationType } from '../../base/enums.ts';
import type { Row } from './row.ts';

export type AuthenticationMethod = { readonly type: AuthenticationType; readonly id?: string };

/** The factors that a user must show for an activity in addition to the signing credential. */
export type MfaPolicy = Row & {
  readonly userId: string;
  readonly name: string;
  /** Expression of the policy language. */
  readonly condition: string;
  /** All steps are required; each accepts any of its methods. */
  readonly requiredMethods: readonly { readonly any: readonly AuthenticationMethod[] }[];
  readonly order: number;
  readonly notes?: string;
};
