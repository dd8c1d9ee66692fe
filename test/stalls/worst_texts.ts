// Texts of policies that take the longest time for their length, up to the maximum length.

import { maximumTextBytes } from '../../src/core/policy/language/bounds.ts';

/** Returns a text of at most this many bytes: parts with a joint between them. */
function chain(parts: (i: number) => string, joint: string, bytes: number): string {
  const written: string[] = [];
  let length = 0;
  for (let i = 0; ; i += 1) {
    const part = parts(i);
    length += part.length + joint.length;
    if (length > bytes) return written.join(joint);
    written.push(part);
  }
}

const list = (item: (i: number) => string): string =>
  `[${Array.from({ length: 10_000 }, (_, i) => item(i)).join(',')}]`;

/** Terms with facts of many namespaces. */
const named = [
  "wallet.id=='a'",
  'wallets.count()>1',
  "private_key.id=='a'",
  'eth.tx.chain_id==1',
  "solana.tx.recent_blockhash=='a'",
  "activity.params.encoding=='a'",
  "activity.params.hash_function=='a'",
  "activity.params.user_id=='a'",
  "wallet_account.address=='a'",
];

const kinds: readonly ((bytes: number) => string)[] = [
  (bytes) => chain(() => 'true', '||', bytes),
  (bytes) => chain(() => '!!!1==1', '&&', bytes).replaceAll('!!!1==1', '1==1'),
  (bytes) => chain((i) => `activity.id=='${i}'`, '||', bytes),
  (bytes) => chain((i) => `activity.type=='ACTIVITY_TYPE_${i}'`, '||', bytes),
  (bytes) => chain((i) => `(activity.id=='${i}'&&eth.tx.to=='0x${i}')`, '||', bytes),
  (bytes) => chain((i) => `(wallet.id=='${i}'||wallet.label=='${i}')`, '&&', bytes),
  (bytes) => chain((i) => `eth.tx.to=='0x${i.toString(16).padStart(40, 'aB')}'`, '||', bytes),
  (bytes) => chain(() => `1 in ${list(() => '1')}`, '||', bytes),
  (bytes) => chain(() => `'a' in ${list((i) => `'${i}'`)}`, '||', bytes),
  (bytes) => chain((i) => `eth.tx.function_name[0..${i}]=='a'`, '||', bytes),
  (bytes) => chain(() => '(1==1&&1==1||1==1)', '&&', bytes),
  (bytes) => `activity.id=='${'a'.repeat(bytes - 20)}'`,
  (bytes) => `activity.id=='${'\u20ac'.repeat(Math.floor((bytes - 20) / 3))}'`,
  (bytes) => chain(() => 'solana.tx.transfers.all(t,t.amount>1)', '&&', bytes),
  (bytes) => `${'('.repeat(99)}${chain(() => '1==1', '||', bytes - 200)}${')'.repeat(99)}`,
  (bytes) => chain(() => `${'!('.repeat(20)}1==1${')'.repeat(20)}`, '||', bytes),
  (bytes) =>
    chain(
      () => `activity.type in [${Array(100).fill("'ACTIVITY_TYPE_DELETE_WALLETS'").join(',')}]`,
      '||',
      bytes,
    ),
  (bytes) => chain(() => "activity.kind=='DELETE_WALLETS'", '&&', bytes),
  (bytes) => chain(() => "activity.kind=='DELETE_WALLETS'", '||', bytes),
  (bytes) =>
    `(${chain(() => chain((i) => `${named[i % named.length]}`, '&&', 3_000), '||', bytes - 2).replaceAll('||', ')||(')})`,
  (bytes) =>
    chain(() => '(1==1||1==2)', '&&', 100) +
    '&&' +
    chain((i) => `wallet.id=='${i}'`, '&&', bytes - 110),
  (bytes) => chain(() => `(${chain((i) => `eth.tx.chain_id==${i}`, '&&', 500)})`, '||', bytes),
  // Expressions of a consensus.
  (bytes) => chain(() => 'approvers.count()>1', '||', bytes),
  (bytes) => chain((i) => `approvers.any(u,u.id=='${i}')`, '&&', bytes),
  (bytes) => chain((i) => `approvers.filter(u,u.tags.contains('${i}')).count()>=2`, '||', bytes),
  (bytes) => chain((i) => `credentials.any(c,c.type=='${i}')`, '||', bytes),
  // Expressions of a time.
  (bytes) => chain(() => "CronSpan('* * * * *','1h','America/New_York')", '||', bytes),
  (bytes) =>
    chain((i) => `CronSpan('0-59/7 ${i % 24} 1,15 * 1-5','30m','Europe/Berlin')`, '||', bytes),
  (bytes) => chain(() => "now>=Timestamp('2026-03-01T00:00:00Z')", '&&', bytes),
  // An expression that is refused at its end.
  (bytes) => `${chain(() => '1==1', '||', bytes - 10)}||`,
];

/** Returns the worst texts, whole and cut to lengths that operations accept. */
export const worstTexts = (bytes: number = maximumTextBytes): readonly string[] =>
  kinds.map((make) => make(bytes));
