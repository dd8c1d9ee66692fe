// The title and the meaning of each member of a request or an answer, for people.

/** A title of a few words, and one sentence: the meaning, the format, and the default if there is one. */
export type MemberText = readonly [title: string, sentence: string];

/**
 * Texts by the name of a member. A name that means different things in different places has rows with a
 * longer key, which win: `owner.name` below a member called `owner`; `operation>name` for a parameter,
 * `operation<name` for a result, `operation?name` in the body of a query, `operation=name` in its answer.
 * A sentence without a title takes the title of the row with the plain name, or the words of the name.
 */
export type MemberTexts = Readonly<Record<string, MemberText | string>>;
