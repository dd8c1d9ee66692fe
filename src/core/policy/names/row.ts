// Rows of the tables of names of the policy language.

/** Rows by the name of the struct. */
export type StructRows = Readonly<Record<string, StructRow>>;

export type StructRow = {
  /** Set if a missing member means that the activity does not have the namespace. */
  readonly holdsNamespaces?: true;
  /** Type of members with names that an organization chooses; the facts list them. */
  readonly chosenMembers?: string;
  readonly fields: { readonly [field: string]: string | FieldRow };
};

/** A type alone, or a type with notes. */
export type FieldRow = FieldNotes & {
  /** A scalar, the name of a struct, `list<…>` or `map<…>` of these. */
  readonly type: string;
};

/** Properties of a member for the simulator, the linter and messages. */
export type FieldNotes = {
  /** A second name of the member. */
  readonly alias?: string;
  /** The text is compared without regard to letter case. */
  readonly isCaseless?: true;
  /** The text has further spellings with the same meaning. */
  readonly hasSpellings?: true;
  /** Set if the member is empty for requests without it. */
  readonly emptyIfAbsent?: true;
  /** Set if the text contains all data of a call or an instruction. */
  readonly holdsWholeData?: true;
  /** Stored form of the text, or of the texts in a list. */
  readonly form?: StoredForm;
  /** All possible values of the text. */
  readonly oneOf?: readonly string[];
  /** The reason for a missing member, for messages. */
  readonly absentBecause?: string;
};

export type StoredForm = 'address' | 'identifier' | 'lowerHex' | 'targetKey';
