import {
  answerInteger,
  answerList,
  answerText,
  object,
  optional,
  text,
} from '../../core/schema/schema.ts';
import { query } from '../operation.ts';

/** Maximum length of a cursor: a time and an index. */
const maximumCursor = 64;

export const list_log_entries = query({
  summary:
    'Lists the entries of the organization in the log, oldest first, with a proof of the last entry. `keywright audit` verifies them.',
  body: object({
    cursor: optional(
      text({
        maximum: maximumCursor,
      }),
    ),
  }),
  response: object({
    entries: answerList(
      object({ index: answerInteger(), entry: answerText(), salt: answerText() }),
    ),
    nextCursor: optional(answerText()),
    /** Only on the last page: the state of the organization in the map of the log, and its proof. */
    end: optional(
      object({
        mapState: answerText(),
        pages: answerList(answerText()),
        mapEntry: answerText(),
        proof: answerText(),
      }),
    ),
  }),

  answer: async ({ organization, body, services }) => {
    const { entries, nextCursor, end } = await services.receipts.chainOf(
      organization.id,
      body.cursor ?? '',
    );
    return {
      entries: [...entries],
      ...(nextCursor === undefined ? {} : { nextCursor }),
      ...(end === undefined ? {} : { end: { ...end, pages: [...end.pages] } }),
    };
  },
});
