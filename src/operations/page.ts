import { numberOf } from '../core/schema/schema.ts';
import type { Page } from './operation.ts';

const defaultLimit = 10;

/** The page that a request's `paginationOptions` ask for. */
export function pageOf(
  options:
    | { readonly limit?: string | number; readonly before?: string; readonly after?: string }
    | undefined,
): Page {
  return {
    limit: options?.limit === undefined ? defaultLimit : numberOf(options.limit),
    before: options?.before?.toLowerCase(),
    after: options?.after?.toLowerCase(),
  };
}
