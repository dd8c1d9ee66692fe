// All screens. The router, the navigation and "Go to" use this list. To add a screen, add an entry.

import { later } from '../components/later.tsx';
import type { Screen } from './paths.ts';

const work = 'group.work';
const keys = 'group.keys';
const rules = 'group.rules';
const organization = 'group.organization';
const tools = 'group.tools';

export const screens: readonly Screen[] = [
  {
    path: '/',
    component: later(() => import('./overview/overview.tsx')),
    link: { name: 'screen.overview', icon: 'overview', group: work },
  },
  {
    path: '/approvals',
    component: later(() => import('./approvals/approvals.tsx')),
    link: { name: 'screen.approvals', icon: 'approvals', group: work },
  },
  {
    path: '/activities',
    component: later(() => import('./activities/activities.tsx')),
    link: { name: 'screen.activities', icon: 'activities', group: work },
  },
  { path: '/activities/:id', component: later(() => import('./activities/activity.tsx')) },
  {
    path: '/wallets',
    component: later(() => import('./wallets/wallets.tsx')),
    link: { name: 'screen.wallets', icon: 'wallets', group: keys },
  },
  { path: '/wallets/:id', component: later(() => import('./wallets/wallet.tsx')) },
  {
    path: '/private-keys',
    component: later(() => import('./private_keys/private_keys.tsx')),
    link: { name: 'screen.privateKeys', icon: 'keys', group: keys },
  },
  { path: '/private-keys/:id', component: later(() => import('./private_keys/private_key.tsx')) },
  {
    path: '/secrets',
    component: later(() => import('./secrets/secrets.tsx')),
    link: { name: 'screen.secrets', icon: 'secrets', group: keys },
  },
  {
    path: '/policies',
    component: later(() => import('./policies/policies.tsx')),
    link: { name: 'screen.policies', icon: 'policies', group: rules },
  },
  { path: '/policies/new', component: later(() => import('./policies/new_policy.tsx')) },
  { path: '/policies/:id', component: later(() => import('./policies/policy.tsx')) },
  {
    path: '/address-book',
    component: later(() => import('./address_book/address_book.tsx')),
    link: { name: 'screen.addresses', icon: 'addresses', group: rules },
  },
  {
    path: '/webhooks',
    component: later(() => import('./webhooks/webhooks.tsx')),
    link: { name: 'screen.webhooks', icon: 'webhooks', group: rules },
  },
  { path: '/webhooks/:id', component: later(() => import('./webhooks/webhook.tsx')) },
  { path: '/webhooks/:id/:number', component: later(() => import('./webhooks/delivery.tsx')) },
  {
    path: '/users',
    component: later(() => import('./users/users.tsx')),
    link: { name: 'screen.users', icon: 'users', group: organization },
  },
  { path: '/users/:id', component: later(() => import('./users/user.tsx')) },
  {
    path: '/organizations',
    component: later(() => import('./organizations/organizations.tsx')),
    link: { name: 'screen.organizations', icon: 'organizations', group: organization },
  },
  {
    path: '/organizations/:id',
    component: later(() => import('./organizations/organization.tsx')),
  },
  {
    path: '/settings',
    component: later(() => import('./settings/settings.tsx')),
    link: { name: 'screen.settings', icon: 'settings', group: organization },
  },
  {
    // One screen for all operations: a change of the operation then keeps the keyboard focus.
    path: '/api/:operation?',
    component: later(() => import('./api/explorer.tsx')),
    link: { path: '/api', name: 'screen.api', icon: 'api', group: tools },
  },
  {
    path: '/inbox',
    component: later(() => import('./inbox/inbox.tsx')),
    link: { name: 'screen.inbox', icon: 'inbox', group: tools, isForDevelopment: true },
  },
  { path: '/pair', component: later(() => import('./pair/pair.tsx')) },
];
