// The title and description of each member of a request or an answer, for people.

/** A title of a few words, and one sentence with the meaning, the format, and the default if there is one. */
export type MemberText = readonly [title: string, sentence: string];

/**
 * Texts by member name. A name with different meanings has rows with longer keys, which take precedence:
 * `owner.name` below a member called `owner`; `operation>name` for a parameter, `operation<name` for a
 * result, `operation?name` in the body of a query, `operation=name` in its answer. Names with one text share
 * a row, with spaces between them. A sentence without a title has the title of the plain name's row, or the
 * words of the name.
 */
export type MemberTexts = Readonly<Record<string, MemberText | string>>;
