// Titles and sentences of the members that the OpenAPI document adds around parameters, results and
// queries, in the form of the vocabulary.

import type { MemberText } from '../vocabulary/member_text.ts';

/** Texts for the envelope of requests, and for the activity in their answers. */
const texts = {
  requestType: ['Activity type', 'Name and version of the operation that the request asks for.'],
  timestampMs: [
    'Time of the request',
    'Time of the request in milliseconds since 1970; requests older than an hour are refused.',
  ],
  organizationId: ['Organization ID', 'UUID of the organization that the request acts in.'],
  parameters: ['Parameters', 'Parameters of the operation, in the form of this activity type.'],
  generateAppProofs: [
    'Generate app proofs',
    'True adds proofs that the enclave signs to the completed activity.',
  ],
  dryRun: [
    'Dry run',
    'Decides and explains without changing anything: the answer has only `dryRun`. Its `voters` are the users who could vote if the activity would wait.',
  ],
  activity: ['Activity', 'Activity that the request created, or that it voted on.'],
  type: ['Activity type', 'Name and version of the operation of the activity.'],
  intent: ['Intent', 'Parameters of the activity, as the one member that its type names.'],
  intentOfType: ['Intent of this type', 'Parameters of the activity, as they were submitted.'],
  result: ['Result', 'Result of the activity, once it is completed.'],
  resultOfType: ['Result of this type', 'Result of the completed activity.'],
  code: ['Status code', 'gRPC status number.'],
  message: ['Message', 'Text that says what is wrong, what was expected and what was found.'],
  details: ['Details', 'What is wrong, for programs: first the members at fault, last the code.'],
  detailType: ['Type of the detail', 'Type URL of the detail, which names its other members.'],
  machineCode: ['Error code', 'Code of the refusal, for programs; the values do not change.'],
} as const satisfies Readonly<Record<string, MemberText>>;

/** Returns a schema or reference with the title and the description of its member. */
export function texted(name: keyof typeof texts, schema: object): object {
  const [title, description] = texts[name];
  return { ...schema, title, description };
}
