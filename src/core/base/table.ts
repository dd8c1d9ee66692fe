/**
 * Creates a table of named rows without a prototype, so that names like `constructor` or `__proto__` find no
 * row. Each row receives its own name.
 */
export function table<Row extends object>() {
  return <Name extends string>(
    rows: Record<Name, Row>,
  ): Readonly<Record<Name, Readonly<Row & { name: Name }>>> => {
    const stamped = Object.create(null) as Record<Name, Row & { name: Name }>;
    for (const name of Object.keys(rows) as Name[]) {
      stamped[name] = Object.freeze({ ...rows[name], name });
    }
    return Object.freeze(stamped);
  };
}

/** Returns the names of a table in the order of its rows. */
export function namesOf<Name extends string>(rows: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(rows) as Name[];
}

/** Returns the row of an untrusted name; undefined if there is no such row. */
export function rowOf<Row>(rows: Readonly<Record<string, Row>>, name: string): Row | undefined {
  return rows[name];
}
