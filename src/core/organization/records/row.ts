// The members that every record has.

export type Row = {
  readonly id: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};
