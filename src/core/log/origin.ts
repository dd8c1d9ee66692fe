// The name of a log: the first organization, and the custody epoch, since no log continues after a restore.

export type LogOwner = { readonly organizationId: string; readonly epoch: number };

export function originOf({ organizationId, epoch }: LogOwner): string {
  return `keywright/${organizationId}/${epoch}`;
}

/** Parses the name of a log. Returns undefined for logs of other kinds. */
export function ownerOf(origin: string): LogOwner | undefined {
  const match = /^keywright\/([0-9a-f-]{36})\/([1-9][0-9]{0,8})$/.exec(origin);
  const [, organizationId, epoch] = match ?? [];
  return organizationId === undefined ? undefined : { organizationId, epoch: Number(epoch) };
}
