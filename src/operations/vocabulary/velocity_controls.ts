import type { MemberTexts } from './member_text.ts';

/** Limits over time. */
export const velocityControlTexts: MemberTexts = {
  velocityControl: 'The velocity control.',
  velocityControls: 'Velocity controls of the organization, oldest first.',
  velocityControlId: 'UUID of the velocity control.',
  usages: 'Counted amounts, by control.',
  groupId: 'UUID of the user, wallet or private key; empty: the organization.',
  used: 'Amount that counts now, as a decimal string.',
  'usages.threshold': 'Threshold of the control, as a decimal string.',
  velocityControlIds: 'UUIDs of velocity controls, each once.',
  'create_velocity_control>name velocityControl.name velocityControls.name': 'Name for people.',
  identifier:
    'Name under which policies read it, as in controls.daily; unique within the organization.',
  dataSource: 'What is counted: exactly one of the members.',
  chainAssetTransfer: ['Asset transfers', 'Counts transfers that signed transactions show.'],
  definition: ['Assets', 'Assets that are counted together, each once.'],
  'definition.decimals':
    'Decimal places of the smallest unit of the asset: 0 to 255, as a decimal string.',
  activityExecution: [
    'Activities',
    'Counts activities that are carried out, once for each payload or secret of them.',
  ],
  filter: 'Which activities count; absent: all.',
  'filter.activity': ['Activity types', 'Types that count, in all their versions; empty: all.'],
  activityType: 'Activity type, for example ACTIVITY_TYPE_SIGN_TRANSACTION_V2.',
  phase: 'When a transfer counts. Default: when it is signed.',
  'phase.signature': 'Counts a transfer when it is signed.',
  submission: 'Refused: transfers count when they are signed.',
  aggregation: 'How amounts are added up, and the bound.',
  method: 'SUM adds amounts in whole units, COUNT adds 1 for each.',
  'aggregation.operator': 'How the sum, with the request, compares to the threshold.',
  'aggregation.threshold':
    'Decimal number in whole units: at most 38 digits, 18 of them after the point.',
  window: 'Time that is looked back on: exactly one of the members.',
  rolling: ['Rolling window', 'Counts what happened within the duration before the request.'],
  duration: 'Seconds, 1 to 31622400, as a decimal string.',
  infinite: ['No window', 'Counts everything since the control was created.'],
  groupBy: 'Whose amounts are added up together: exactly one of the members.',
  'groupBy.organization': 'Adds up all amounts of the organization.',
  'groupBy.user': 'Adds up the amounts of each submitting user by itself.',
  'groupBy.wallet': 'Adds up the amounts of each wallet or private key by itself.',
  pageInfo: ['Page', 'Where the page lies in the list.'],
  hasNextPage: 'Whether rows follow the page.',
  hasPreviousPage: 'Whether rows precede the page.',
  startCursor: 'ID of the first row; absent: the page is empty.',
  endCursor: 'ID of the last row; absent: the page is empty.',
};
