import { table } from '../../base/table.ts';

type GrpcStatus = { number: number; http: number };

/** gRPC status codes with their HTTP status in the grpc-gateway mapping. */
export const grpcStatuses = table<GrpcStatus>()({
  INVALID_ARGUMENT: { number: 3, http: 400 },
  DEADLINE_EXCEEDED: { number: 4, http: 504 },
  NOT_FOUND: { number: 5, http: 404 },
  ALREADY_EXISTS: { number: 6, http: 409 },
  PERMISSION_DENIED: { number: 7, http: 403 },
  RESOURCE_EXHAUSTED: { number: 8, http: 429 },
  FAILED_PRECONDITION: { number: 9, http: 400 },
  ABORTED: { number: 10, http: 409 },
  UNIMPLEMENTED: { number: 12, http: 501 },
  INTERNAL: { number: 13, http: 500 },
  UNAVAILABLE: { number: 14, http: 503 },
  UNAUTHENTICATED: { number: 16, http: 401 },
});

export type ErrorRow = {
  grpc: keyof typeof grpcStatuses;
  /** Code that clients of the API family switch on. */
  clientCode: string;
  /**
   * Sentence shown to the caller; details replace placeholders like `{name}`. It starts with a lower-case
   * letter, has no full stop, and keeps the first words that public clients match.
   */
  sentence: string;
  /** HTTP status if it differs from the gRPC mapping. */
  http?: number;
};

/** Returns a row for each sentence. All have the same status and client code. */
export function rowsOf<Code extends string>(
  grpc: ErrorRow['grpc'],
  clientCode: string,
  sentences: Readonly<Record<Code, string>>,
): Readonly<Record<Code, ErrorRow>> {
  const row = ([code, sentence]: [string, string]) => [code, { grpc, clientCode, sentence }];
  return Object.fromEntries(Object.entries<string>(sentences).map(row));
}
