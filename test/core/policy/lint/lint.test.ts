import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eip55 } from '../../../../src/core/address/ethereum.ts';
import type { PolicyEffect } from '../../../../src/core/base/enums.ts';
import { compileClause } from '../../../../src/core/policy/language/clause.ts';
import {
  type LintedPolicy,
  lintPolicies,
  lintPolicy as lintWholly,
  maximumWarnings,
  warningCodes,
} from '../../../../src/core/policy/lint/lint.ts';
import { transactionRules } from '../../../../src/core/policy/lint/lint_transactions.ts';

/** Lints a policy without the rules about transactions, which lint_transactions.test.ts tests. */
const lintPolicy = (linted: LintedPolicy) =>
  lintWholly(linted, eip55).filter(({ code }) => !(code in transactionRules));

type Texts = {
  readonly effect?: PolicyEffect;
  readonly condition?: string;
  readonly consensus?: string;
  readonly time?: string;
};

function policy({ effect = 'EFFECT_ALLOW', condition, consensus, time }: Texts): LintedPolicy {
  return {
    effect,
    condition: condition === undefined ? undefined : compileClause('condition', condition),
    consensus: consensus === undefined ? undefined : compileClause('consensus', consensus),
    time: time === undefined ? undefined : compileClause('time', time),
  };
}

const id = '0190a6ff-5d8e-7c3a-8f00-0123456789ab';
const otherId = '0190a6ff-5d8e-7c3a-8f00-0123456789ac';
const someone = `approvers.any(user, user.id == '${id}')`;
const checksummed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** By code: conditions with the warning at the text after `@`, and conditions without it. */
const onConditions: Readonly<Record<string, { warned: string[]; silent: string[] }>> = {
  never_true: {
    warned: ['@false', "activity.action == 'SIGN' && @false"],
    silent: ['true', "wallet.exported == false && activity.action == 'SIGN'"],
  },
  contradicting_values: {
    warned: [
      "activity.action == 'SIGN' && activity.action == @'EXPORT'",
      `wallet.label == 'a' && wallet.label in [@'b', 'c']`,
      "(wallet.label == 'a' || wallet.label == 'b') && [@'c'].contains(wallet.label)",
      'eth.tx.chain_id == 1 && (eth.tx.value > 3 && eth.tx.chain_id == @10)',
    ],
    silent: [
      "wallet.label == 'a' || wallet.label == 'b'",
      "wallet.label == 'a' && wallet.label in ['a', 'b']",
      "wallet.label == 'a' && wallet.label != 'b'",
      `eth.tx.to == '${checksummed}' && eth.tx.to == '${checksummed.toLowerCase()}'`,
      `activity.params.user_ids.contains('${id}') && '${otherId}' in activity.params.user_ids`,
    ],
  },
  spelling_never_stored: {
    warned: [
      `wallet_account.address == @'${checksummed.toLowerCase()}'`,
      `wallet.id == @'${id.toUpperCase()}'`,
      `wallet.id in ['${id}', @'treasury']`,
      "private_key.tags.contains(@'hot')",
      "@'HOT' in private_key.tags",
      "eth.tx.data[0..10] == @'0xA9059CBB'",
      "solana.tx.instructions.any(i, i.instruction_data_hex[0..2] == @'0A')",
      "activity.params.hash_function != @'HASH_FUNCTION_SHA3'",
      "activity.params.encoding == @'PAYLOAD_ENCODING_EIP_712'",
      "eth.tx.type == @'EIP1559'",
      "tron.tx.contract.all(c, c.type == @'TRANSFER')",
    ],
    silent: [
      `wallet_account.address == '${checksummed}'`,
      "wallet_account.address == 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf'",
      `CaseInsensitiveString(wallet_account.address) == '${checksummed.toLowerCase()}'`,
      `eth.tx.to == '${checksummed.toLowerCase()}'`,
      `wallet.id == '${id}' && wallet.label == 'Treasury'`,
      "eth.tx.data[0..10] == '0xa9059cbb'",
      "activity.params.hash_function == 'HASH_FUNCTION_NO_OP'",
    ],
  },
  slice_length_differs: {
    warned: ["eth.tx.data[0..8] == @'0xa9059cbb'", "eth.tx.data[0..10] in [@'a9059cbb']"],
    silent: ["eth.tx.data[0..10] == '0xa9059cbb'", "eth.tx.data == '0xa9059cbb'"],
  },
  unknown_activity_name: {
    warned: [
      "activity.resource == @'WALLETS'",
      "activity.action in ['SIGN', @'APPROVE']",
      "activity.kind == @'SIGN_TRANSACTION_V2'",
      "activity.type != @'SIGN_RAW_PAYLOAD'",
    ],
    silent: [
      "activity.resource == 'WALLET' && activity.action == 'CREATE'",
      "activity.kind == 'SIGN_TRANSACTION'",
      "activity.type in ['ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', 'ACTIVITY_TYPE_OAUTH2_AUTHENTICATE']",
    ],
  },
  no_such_activity: {
    warned: [
      "activity.resource == 'WALLET' && activity.action == @'SIGN'",
      "activity.kind == 'SIGN_TRANSACTION' && activity.type == @'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'",
    ],
    silent: [
      "activity.resource == 'PRIVATE_KEY' && activity.action == 'SIGN'",
      "activity.resource in ['AUTH', 'OTP'] && activity.action in ['CREATE', 'VERIFY']",
      "activity.kind == 'SIGN_TRANSACTION' && activity.type == 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2'",
    ],
  },
  names_never_together: {
    warned: [
      `wallet.id == '${id}' && @private_key.id == '${id}'`,
      `eth.tx.to == '${checksummed}' && @solana.tx.transfers.count() == 1`,
      `(wallet.exported || wallet.imported) && @private_key.exported`,
      "eth.tx.chain_id == 1 && @activity.params.encoding == 'PAYLOAD_ENCODING_EIP712'",
      'activity.params.user_id == @activity.params.wallet_id',
      'eth.tx.chain_id == 1 && @[solana][0].tx.transfers.count() == 1',
      'eth.tx.chain_id == 1 && [bitcoin].all(each, @each.tx.fee < 1000)',
      '[[activity.params]][0].any(each, each.user_id == @each.wallet_id)',
    ],
    silent: [
      `wallet.id == '${id}' && wallet_account.address == '${checksummed}'`,
      `private_key.id == '${id}' && eth.tx.chain_id == 1`,
      `eth.eip_712.primary_type == 'Permit' && activity.params.hash_function == 'HASH_FUNCTION_NO_OP'`,
      'wallets.all(w, private_key.exported)',
    ],
  },
  name_not_of_activity: {
    warned: [
      "activity.kind == 'SIGN_RAW_PAYLOAD' && @eth.tx.chain_id == 1",
      `activity.action == 'EXPORT' && @eth.tx.chain_id == 1`,
      `activity.resource == 'USER' && @wallet.id == '${id}'`,
    ],
    silent: [
      "activity.kind in ['SIGN_RAW_PAYLOAD', 'SIGN_TRANSACTION'] && eth.tx.chain_id == 1",
      `activity.action == 'EXPORT' && wallet.id == '${id}'`,
    ],
  },
  number_may_be_text: {
    warned: [
      "eth.eip_712.message['amount'] <= @100",
      "eth.eip_712.message['permitted'].any(p, p['amount'] < @100)",
      "eth.eip_712.message['permitted'][0]['amount'] in [@1, @2]",
    ],
    silent: [
      "eth.eip_712.message['amount'] == '100'",
      'eth.eip_712.domain.chain_id == 1',
      "eth.tx.contract_call_args['wad'] < 100",
      "eth.eip_712.message['permitted'].count() == 1",
    ],
  },
};

for (const [code, { warned, silent }] of Object.entries(onConditions)) {
  test(`${code}: warned at its position, and nowhere else`, () => {
    for (const marked of warned) {
      const positions = [...marked.matchAll(/@/g)].map(({ index }, i) => index - i);
      const condition = marked.replaceAll('@', '');
      const found = lintPolicy(policy({ condition, consensus: someone }));
      assert.deepEqual(
        found.map((warning) => [warning.code, warning.clause, warning.position]),
        positions.map((position) => [code, 'condition', position]),
        condition,
      );
    }
    for (const condition of silent) {
      const consensus = 'approvers.count() >= 2';
      assert.deepEqual(lintPolicy(policy({ condition, consensus })), [], condition);
    }
  });
}

test('every code but those about transactions, users and sets is shown on conditions', () => {
  assert.deepEqual(
    warningCodes.filter((code) => !(code in transactionRules)).sort(),
    [
      ...Object.keys(onConditions),
      'alternatives_apart',
      'deny_of_one_type',
      'everything_open_to_everybody',
      'equals_root',
      'export_open_to_everybody',
      'raw_signing_left_open',
      'signing_open_to_everybody',
    ].sort(),
  );
});

test('consensus and time are linted too, and positions are bytes of the clause', () => {
  const consensus = "approvers.any(user, user.alias == 'é' && user.id == 'é')";
  const found = lintPolicy(policy({ consensus, condition: "wallet.label == 'a'", time: 'false' }));
  assert.deepEqual(
    found.map(({ code, clause, position }) => [code, clause, position]),
    [
      ['spelling_never_stored', 'consensus', bytesBefore(consensus, `'é')`)],
      ['never_true', 'time', 0],
    ],
  );
});

function bytesBefore(text: string, part: string): number {
  return Buffer.byteLength(text.slice(0, text.indexOf(part)));
}
test('everything_open_to_everybody: only without any condition', () => {
  const codesOf = (texts: Texts) => lintPolicy(policy(texts)).map(({ code }) => code);
  assert.deepEqual(codesOf({}), ['everything_open_to_everybody']);
  assert.deepEqual(codesOf({ condition: 'true', consensus: 'true' }), [
    'everything_open_to_everybody',
  ]);
  assert.deepEqual(codesOf({ effect: 'EFFECT_DENY' }), []);
  assert.deepEqual(codesOf({ consensus: someone }), ['equals_root']);
  assert.deepEqual(codesOf({ time: "CronSpan('0 9 * * *', '8h', 'UTC')" }), []);
});

test('equals_root: an ALLOW with which one user alone edits policies, or does everything', () => {
  const codesOf = (texts: Texts) => lintPolicy(policy(texts)).map(({ code }) => code);
  const two = 'approvers.count() >= 2';
  const root = [
    "activity.resource == 'POLICY'",
    "activity.kind in ['CREATE_WALLET', 'UPDATE_POLICY']",
    "activity.resource == 'POLICY' && activity.action == 'CREATE'",
    "activity.type == 'ACTIVITY_TYPE_CREATE_POLICIES'",
  ];
  for (const condition of root) {
    assert.deepEqual(codesOf({ condition }), ['equals_root'], condition);
    assert.deepEqual(codesOf({ condition, consensus: someone }), ['equals_root']);
    assert.deepEqual(codesOf({ condition, consensus: 'approvers.count() >= 1' }), ['equals_root']);
    assert.deepEqual(codesOf({ condition, consensus: two }), []);
    assert.deepEqual(codesOf({ condition, consensus: `${two} && ${someone}` }), []);
    assert.ok(!codesOf({ condition, effect: 'EFFECT_DENY' }).includes('equals_root'), condition);
  }
  assert.deepEqual(codesOf({ condition: 'true', consensus: someone }), ['equals_root']);
  assert.deepEqual(codesOf({ condition: 'true', consensus: two }), []);
  const deleting = "activity.resource == 'POLICY' && activity.action == 'DELETE'";
  assert.deepEqual(codesOf({ condition: deleting }), []);
});

test('export_open_to_everybody: an ALLOW that any user meets alone', () => {
  const codesOf = (texts: Texts) => lintPolicy(policy(texts)).map(({ code }) => code);
  const open = [
    "activity.action == 'EXPORT'",
    `wallet.id == '${id}'`,
    "activity.resource == 'WALLET'",
    "activity.resource == 'SECRET'",
    "activity.type == 'ACTIVITY_TYPE_EXPORT_SECRETS'",
    "secret.static_properties['kind'] == 'card'",
  ];
  for (const condition of open) {
    assert.deepEqual(codesOf({ condition }), ['export_open_to_everybody'], condition);
    assert.deepEqual(codesOf({ condition, consensus: 'true' }), ['export_open_to_everybody']);
    assert.deepEqual(codesOf({ condition, consensus: someone }), []);
    assert.deepEqual(codesOf({ condition, effect: 'EFFECT_DENY' }), []);
  }
  assert.deepEqual(codesOf({ condition: "activity.kind == 'IMPORT_SECRETS'" }), []);
  assert.deepEqual(codesOf({ condition: `activity.action == 'SIGN' && wallet.id == '${id}'` }), []);
});

test('signing_open_to_everybody: an ALLOW that names neither keys nor users', () => {
  const codesOf = (texts: Texts) => lintPolicy(policy(texts)).map(({ code }) => code);
  const open = [
    "activity.action == 'SIGN'",
    "activity.kind == 'SIGN_RAW_PAYLOAD'",
    "activity.kind in ['SIGN_TRANSACTION', 'SIGN_RAW_PAYLOADS']",
  ];
  for (const condition of open) {
    assert.deepEqual(codesOf({ condition }), ['signing_open_to_everybody'], condition);
    assert.deepEqual(codesOf({ condition, consensus: 'true' }), ['signing_open_to_everybody']);
    assert.deepEqual(codesOf({ condition, consensus: someone }), []);
    assert.deepEqual(codesOf({ condition, effect: 'EFFECT_DENY' }), []);
    const oneWallet = `(${condition}) && wallet.id == '${id}'`;
    assert.deepEqual(codesOf({ condition: oneWallet }), [], oneWallet);
  }
  const content = "activity.action == 'SIGN' && eth.tx.value < 5";
  assert.deepEqual(codesOf({ condition: content }), []);
  assert.deepEqual(codesOf({ condition: "activity.kind == 'CREATE_WALLET'" }), []);
});

test('alternatives_apart: an ALLOW in which requests of one alternative lack names of another', () => {
  const warned = [
    `wallet.id == '${id}' || @private_key.id == '${id}'`,
    `eth.tx.to == '${checksummed}' || @solana.tx.transfers.count() == 1`,
    "activity.action == 'EXPORT' || @eth.eip_712.domain.chain_id == 1",
    "@eth.eip_712.domain.chain_id == 1 || activity.action == 'EXPORT'",
    `activity.action == 'SIGN' && (eth.tx.chain_id == 1 || @solana.tx.transfers.count() == 1)`,
    `activity.resource == 'USER' || @wallet.id == '${id}'`,
    `activity.kind == 'STAMP_LOGIN' || @activity.params.wallet_id == '${id}'`,
  ];
  const silent = [
    "eth.tx.chain_id == 1 || wallet.label == 'a'",
    `activity.action == 'SIGN' || wallet.id == '${id}'`,
    "activity.action == 'SIGN' && (eth.tx.chain_id == 1 || eth.tx.value == 0)",
    "activity.resource == 'USER' || activity.resource == 'WALLET'",
  ];
  for (const marked of warned) {
    const condition = marked.replace('@', '');
    const found = lintPolicy(policy({ condition, consensus: someone }));
    assert.deepEqual(
      found.map(({ code, clause, position }) => [code, clause, position]),
      [['alternatives_apart', 'condition', marked.indexOf('@')]],
      condition,
    );
    assert.match(found[0]?.message ?? '', /write a policy for each alternative$/);
    assert.deepEqual(lintPolicy(policy({ condition, effect: 'EFFECT_DENY' })), [], condition);
  }
  for (const condition of silent) {
    const consensus = 'approvers.count() >= 2';
    assert.deepEqual(lintPolicy(policy({ condition, consensus })), [], condition);
  }
});

test('deny_of_one_type: a DENY on one type while other types have the same effect', () => {
  const deny = (condition: string) => lintPolicy(policy({ condition, effect: 'EFFECT_DENY' }));
  const sends = [
    'ACTIVITY_TYPE_ETH_SEND_TRANSACTION',
    'ACTIVITY_TYPE_ETH_SEND_TRANSACTION_V2',
    'ACTIVITY_TYPE_ETH_UNDELEGATE_7702',
    'ACTIVITY_TYPE_ETH_UNDELEGATE7702',
    'ACTIVITY_TYPE_SOL_SEND_TRANSACTION',
    'ACTIVITY_TYPE_SOL_SEND_TRANSACTION_V2',
  ];
  const transactions = [
    'ACTIVITY_TYPE_SIGN_TRANSACTION',
    'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
    ...sends,
  ];
  const warned: readonly (readonly [condition: string, named: readonly string[]])[] = [
    [
      "activity.type == @'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'",
      ['ACTIVITY_TYPE_SIGN_RAW_PAYLOAD', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', ...transactions],
    ],
    [
      "activity.type == @'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS' && wallet.label == 'a'",
      ['ACTIVITY_TYPE_SIGN_RAW_PAYLOAD', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', ...transactions],
    ],
    [
      "activity.type == @'ACTIVITY_TYPE_CREATE_POLICY_V3'",
      [
        'ACTIVITY_TYPE_CREATE_POLICY',
        'ACTIVITY_TYPE_CREATE_POLICY_V2',
        'ACTIVITY_TYPE_CREATE_POLICIES',
      ],
    ],
    [
      "activity.type == @'ACTIVITY_TYPE_SIGN_TRANSACTION_V2' && eth.tx.value > 5",
      ['ACTIVITY_TYPE_SIGN_TRANSACTION', ...sends.slice(0, 4)],
    ],
    ["activity.type in [@'ACTIVITY_TYPE_DELETE_POLICY']", ['ACTIVITY_TYPE_DELETE_POLICIES']],
    ["activity.type == @'ACTIVITY_TYPE_EXPORT_WALLET'", ['ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT']],
    [
      "activity.type == @'ACTIVITY_TYPE_EXPORT_WALLET' || wallet.exported",
      ['ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT'],
    ],
    [
      "wallet.exported && (activity.type == @'ACTIVITY_TYPE_EXPORT_WALLET' || wallet.imported)",
      ['ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT'],
    ],
  ];
  for (const [marked, named] of warned) {
    const condition = marked.replace('@', '');
    const found = deny(condition);
    assert.deepEqual(
      found.map(({ code, clause, position }) => [code, clause, position]),
      [['deny_of_one_type', 'condition', marked.indexOf('@')]],
      condition,
    );
    const [told = '', advice = ''] = found[0]?.message.split(':') ?? [];
    // More than six types are only counted.
    assert.deepEqual(told.match(/ACTIVITY_TYPE_\w+/g), named.slice(0, 6), condition);
    assert.match(advice, /`activity.resource == '\w+' && activity.action == '\w+'`/);
    const codes = lintPolicy(policy({ condition, consensus: 'approvers.count() >= 2' }));
    assert.ok(!codes.some(({ code }) => code === 'deny_of_one_type'), condition);
  }
  const many = deny("activity.type == 'ACTIVITY_TYPE_STAMP_LOGIN'");
  assert.match(many[0]?.message ?? '', / and \d+ more, /);
  for (const condition of [
    "activity.type == 'ACTIVITY_TYPE_EXPORT_SECRETS'",
    "activity.type in ['ACTIVITY_TYPE_EXPORT_WALLET', 'ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT']",
    "activity.type == 'ACTIVITY_TYPE_DELETE_POLICY' || activity.kind == 'DELETE_POLICIES'",
    "activity.type == 'ACTIVITY_TYPE_DELETE_POLICY' || activity.resource == 'POLICY'",
    "activity.kind == 'SIGN_TRANSACTION' && eth.tx.value > 5",
    "activity.kind == 'SIGN_RAW_PAYLOAD'",
    "activity.type != 'ACTIVITY_TYPE_DELETE_POLICY'",
  ]) {
    assert.deepEqual(deny(condition), [], condition);
  }
});

test('raw_signing_left_open: a wide ALLOW next to a rule about transactions', () => {
  const transactions: Texts = { condition: 'eth.tx.chain_id == 1', consensus: someone };
  const wide = ["activity.action == 'SIGN'", "activity.resource == 'PRIVATE_KEY'"];
  for (const condition of wide) {
    const open = policy({ condition, consensus: someone });
    assert.deepEqual(
      lintPolicies([policy(transactions), open]).map(({ code, index }) => [code, index]),
      [['raw_signing_left_open', 1]],
    );
    assert.deepEqual(lintPolicies([open]), []);
    const closing = policy({
      effect: 'EFFECT_DENY',
      condition: "activity.kind in ['SIGN_RAW_PAYLOAD', 'SIGN_RAW_PAYLOADS']",
    });
    assert.deepEqual(lintPolicies([policy(transactions), open, closing]), []);
  }
  const narrow = [
    "activity.kind == 'SIGN_TRANSACTION'",
    "activity.action == 'SIGN' && activity.params.encoding == 'PAYLOAD_ENCODING_EIP712'",
    "activity.action == 'EXPORT'",
  ];
  for (const condition of narrow) {
    const policies = [policy(transactions), policy({ condition, consensus: someone })];
    assert.deepEqual(lintPolicies(policies), [], condition);
  }
});

test('the number of warnings is bounded', () => {
  const condition = `wallet.id in [${Array.from({ length: 200 }, (_, i) => `'name ${i}'`).join(', ')}]`;
  assert.equal(lintPolicy(policy({ condition, consensus: someone })).length, maximumWarnings);
});

test('a clause of the maximum size is linted', () => {
  const list = (prefix: string) =>
    `[${Array.from({ length: 5000 }, (_, i) => `'${prefix}${i}'`).join(',')}]`;
  const condition = `wallet.label in ${list('a')} && wallet.label in ${list('b')}`;
  assert.deepEqual(
    lintPolicy(policy({ condition, consensus: someone })).map(({ code }) => code),
    ['contradicting_values'],
  );
  const halves = Array.from({ length: 12 }, () => '(wallet.exported || wallet.imported)');
  const crossed = [...halves, ...Array.from({ length: 5000 }, () => 'wallet.exported')];
  for (const condition of [crossed.join('&&'), crossed.slice(0, 3000).join('&&')]) {
    assert.deepEqual(lintPolicy(policy({ condition, consensus: 'approvers.count() >= 2' })), []);
  }
  const repeated = Array.from({ length: 6000 }, () => 'wallet.exported').join('||');
  assert.deepEqual(lintPolicy(policy({ condition: repeated, consensus: someone })), []);
});

test('next to others, each policy is read a bounded number of times', () => {
  let reads = 0;
  const watched = (condition: string, effect: PolicyEffect = 'EFFECT_ALLOW'): LintedPolicy => {
    const clause = compileClause('condition', condition);
    const { expression } = clause;
    const get = () => {
      reads += 1;
      return expression;
    };
    return {
      ...policy({ effect }),
      condition: Object.defineProperty({ ...clause }, 'expression', { get }),
    };
  };
  const policies = [
    ...Array.from({ length: 50 }, () => watched("activity.action == 'SIGN'")),
    ...Array.from({ length: 49 }, () => watched("activity.action == 'DELETE'", 'EFFECT_DENY')),
    watched("eth.tx.to == ''"),
  ];
  assert.equal(lintPolicies(policies).length, 50);
  assert(reads <= 10 * policies.length, `${reads} reads`);
});
