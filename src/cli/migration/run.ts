import type { SubmitName } from '../../client/connect.ts';
import { NeedsVotes, Refused, RequestFailed } from '../../client/index.ts';
import { type PlanInput, planOf } from './plan.ts';
import { kinds, type Move, type PlannedRow } from './rows.ts';
import type { Migration } from './source.ts';
import { type KeyKind, maximumWaiting, operationsOf } from './transfers.ts';

type Run = Migration & {
  /** Prints a step. */
  readonly report: (text: string) => void;
  /** Reasons of rows that a service refused, by kind and name. */
  readonly refusals: Map<string, string>;
};

/**
 * Creates the rows of a plan, and returns the updated plan. Plans again after each kind, so that later rows
 * get the new ids, and until a round creates nothing. A row that a service refuses stays, with the reason in
 * its note; the others continue. Throws the other errors of both services.
 */
export async function runPlan(
  migration: Migration,
  report: (text: string) => void,
): Promise<{ readonly plan: readonly PlannedRow[]; readonly refused: number }> {
  const run: Run = { ...migration, report, refusals: new Map() };
  let round = await nextRound(migration);
  for (let hasCreated = true; hasCreated; ) {
    hasCreated = false;
    for (const kind of kinds) {
      const rows = planOf(round.input).filter((row) => row.kind === kind);
      let count = 0;
      for (const row of rows) count += (await isCarriedOut(row, round, run)) ? 1 : 0;
      if (count === 0) continue;
      hasCreated = true;
      round = await nextRound(migration);
    }
  }
  const plan = planOf(round.input).map((row): PlannedRow => {
    const reason = run.refusals.get(nameOf(row));
    return reason === undefined ? row : { ...row, state: 'by hand', note: reason };
  });
  return { plan, refused: run.refusals.size };
}

/** The state of both organizations, and the number of import targets that were used since it was read. */
type Round = { readonly input: PlanInput; readonly usedTargets: Record<KeyKind, number> };

async function nextRound({ input }: Migration): Promise<Round> {
  return { input: await input(), usedTargets: { wallet: 0, 'private key': 0 } };
}

const nameOf = ({ kind, name }: PlannedRow): string => `${kind} ${name}`;

/** Does the next step of a row. Returns false if the row has none, or if a service refused it. */
async function isCarriedOut(row: PlannedRow, round: Round, run: Run): Promise<boolean> {
  if (run.refusals.has(nameOf(row))) return false;
  try {
    return await isNextStepDone(row, round, run);
  } catch (error) {
    const isInvalid = error instanceof RequestFailed && error.status === 400;
    if (!isInvalid && !(error instanceof Refused)) throw error;
    run.refusals.set(nameOf(row), error.message);
    return false;
  }
}

async function isNextStepDone(row: PlannedRow, round: Round, run: Run): Promise<boolean> {
  const { creation, move } = row;
  if (creation !== undefined) {
    const isDone = await isSubmitted(run, creation.operation, creation.parameters);
    run.report(`${isDone ? 'created' : 'requested'}: ${nameOf(row)}`);
    return true;
  }
  if (move?.step === 'export') return await isExported(move, round, run, nameOf(row));
  if (move === undefined) return false;
  const { kind, bundle, parameters } = move;
  const { userId } = round.input.transfers ?? {};
  const all = { ...parameters, userId, encryptedBundle: bundle };
  const isDone = await isSubmitted(run, operationsOf[kind].import, all);
  run.report(`${isDone ? 'moved' : 'requested the import'}: ${nameOf(row)}`);
  return true;
}

/** Exports to a key of the target that no other export names. Omits the export while too many wait. */
async function isExported(
  { kind, sourceId }: Extract<Move, { step: 'export' }>,
  round: Round,
  { source, target, report }: Run,
  name: string,
): Promise<boolean> {
  const targetPublicKey = await freeTarget(kind, round, target);
  if (targetPublicKey === undefined) return false;
  const idMember = kind === 'wallet' ? 'walletId' : 'privateKeyId';
  const parameters = { [idMember]: sourceId, targetPublicKey };
  const outcome = await source.ask(operationsOf[kind].export, parameters as never);
  if (outcome.outcome === 'refused') throw outcome.error;
  report(`${outcome.outcome === 'done' ? 'exported' : 'requested the export'}: ${name}`);
  return true;
}

/** Returns the key of a free target, else of a new target; undefined while too many moves wait. */
async function freeTarget(
  kind: KeyKind,
  { input, usedTargets }: Round,
  target: Migration['target'],
): Promise<string | undefined> {
  const { transfers } = input;
  if (transfers === undefined) return undefined;
  const ids = new Set(
    (kind === 'wallet' ? input.source.wallets : input.source.privateKeys).map(({ id }) => id),
  );
  const waiting = [...transfers.bySource.keys()].filter((id) => ids.has(id)).length;
  if (waiting + usedTargets[kind] >= maximumWaiting) return undefined;
  const free = transfers.free[kind][usedTargets[kind]];
  usedTargets[kind] += 1;
  if (free !== undefined) return free.key;
  const { userId } = transfers;
  const { importBundle } = await target.submit(operationsOf[kind].begin, { userId });
  const { importTargetKey } = await import('../../client/bundles.ts');
  return await importTargetKey(target, importBundle, { userId });
}

/** Submits to the target. Returns false if the activity waits; the next plan reports the voters. */
async function isSubmitted(
  { connected }: Run,
  operation: SubmitName,
  parameters: object,
): Promise<boolean> {
  try {
    // The plan pairs each operation with its parameters, which the type cannot express.
    await connected.submit(operation, parameters as never);
    return true;
  } catch (error) {
    if (error instanceof NeedsVotes) return false;
    throw error;
  }
}
