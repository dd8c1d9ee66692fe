import { answerInteger, answerList, answerText, object } from '../../core/schema/schema.ts';
import {
  contractInterfaceReferenceView,
  invitationView,
  policyView,
  privateKeyView,
  tagView,
  userView,
  walletView,
} from '../../core/views/wire.ts';
import { userShape } from '../credential_shapes.ts';
import { invitationShape } from '../invitations/invitation_shape.ts';
import { query } from '../operation.ts';
import { policyShape } from '../policies/policy_shapes.ts';
import { privateKeyShape } from '../private_keys/private_key_shape.ts';
import { featureShape, tagShape, walletShape } from '../shapes.ts';

export const get_organization = query({
  summary: 'Returns the organization with its users, policies, keys, wallets, tags and features.',
  body: object({}),
  response: object({
    organizationData: object({
      organizationId: answerText(),
      name: answerText(),
      users: answerList(userShape()),
      policies: answerList(policyShape()),
      privateKeys: answerList(privateKeyShape()),
      invitations: answerList(invitationShape()),
      tags: answerList(tagShape()),
      rootQuorum: object({ threshold: answerInteger(), userIds: answerList(answerText()) }),
      features: answerList(featureShape()),
      wallets: answerList(walletShape()),
      smartContractInterfaceReferences: answerList(
        object({
          smartContractInterfaceId: answerText(),
          smartContractAddress: answerText(),
          digest: answerText(),
        }),
      ),
    }),
  }),

  answer: ({ organization }) => ({
    organizationData: {
      organizationId: organization.id,
      name: organization.head.name,
      users: organization.list('user').map((user) => userView(user, organization)),
      policies: organization.list('policy').map(policyView),
      privateKeys: organization.list('private_key').map(privateKeyView),
      invitations: organization
        .list('invitation')
        .map((invitation) => invitationView(invitation, organization)),
      tags: organization.list('tag').map(tagView),
      rootQuorum: organization.head.rootQuorum,
      features: organization.head.features,
      wallets: organization.list('wallet').map(walletView),
      smartContractInterfaceReferences: organization
        .list('contract_interface')
        .map(contractInterfaceReferenceView),
    },
  }),
});
