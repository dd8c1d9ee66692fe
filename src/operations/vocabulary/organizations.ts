import type { MemberTexts } from './member_text.ts';

/** Organizations, their root quorum, features, tags, lists of addresses, and pages of lists. */
export const organizationTexts: MemberTexts = {
  organizationId: 'UUID of the organization that the resource belongs to.',
  'organizationName organizationData.name': 'Name of the organization: a label for people.',
  'update_organization_name>organizationName':
    'New name of the organization: 1 to 255 characters without control characters.',
  'deliveries.organizationId':
    'UUID of the organization whose activity or balance the event reports.',
  organizationIds: 'UUIDs of the sub-organizations, oldest first.',
  unverifiedOrganizationIds:
    'The listed sub-organizations that were found by a contact that their sign-up only stated.',
  subOrganizationId: ['Sub-organization ID', 'UUID of the sub-organization that was created.'],
  subOrganizationUuid: ['Sub-organization ID', 'UUID of the sub-organization that was deleted.'],
  subOrganizationName: [
    'Sub-organization name',
    'Name of the new sub-organization; several may have the same name.',
  ],
  'create_sub_organization>name': ['Sub-organization name', 'Name of the new sub-organization.'],
  rootAuthenticator: ['Passkey', 'Passkey of the only root user, who is called `Root user`.'],
  'create_sub_organization>privateKeys':
    'Private keys that the sub-organization starts with; their tags stay empty.',
  rootUsers: 'Users that the sub-organization starts with; together they are its root quorum.',
  rootUserIds: 'UUIDs of the root users, in the order of the request.',
  rootQuorumThreshold:
    'Number of root users whose approval acts as root: 1 up to the number of root users.',
  threshold: 'Number of members whose approval suffices.',
  'update_root_quorum>threshold':
    'Number of members whose approval acts as root: 1 up to the number of members.',
  'update_root_quorum>userIds': ['Members', 'UUIDs of the users that form the new root quorum.'],
  quorum: ['Root quorum', 'The users who act as root together, and their threshold.'],
  'quorum.userIds rootQuorum.userIds': ['Members', 'UUIDs of the users in the root quorum.'],
  invitations: 'Whom the organization invites; an invitation opens nothing.',
  'create_invitations>invitations': 'Invitations to note: 1 to 100.',
  invitationId: 'UUID of the invitation.',
  invitationIds: 'UUIDs of the invitations, in the order of the request.',
  receiverUserName: ['User name', 'Name of the person who is invited.'],
  'receiverUserEmail receiverEmail': [
    'Email address',
    'Email address of the person who is invited.',
  ],
  receiverUserTags: ['User tags', 'UUIDs of the user tags that the person will get.'],
  senderUserId: ['Sender', 'UUID of the user who invites, who is the one that asks.'],
  'invitations.accessType': 'Stored and shown for clients, without effect.',
  'invitations.status':
    'ACCEPTED once a user of the organization has shown to hold the email address.',
  organizationData: ['Organization', 'The organization as it is now.'],
  tags: 'All tags of the organization, of users and of private keys.',
  rootQuorum: 'The users who act as root together, and their threshold.',
  smartContractInterfaceReferences: [
    'Contract interfaces',
    'Contract interfaces of the organization, without their texts.',
  ],
  digest: 'SHA-256 of the text of the contract interface; hex.',
  configs: ['Settings', 'Features and root quorum of the organization.'],
  features: 'All features that are set, after the change.',
  'features.name': ['Feature', 'Name of the feature.'],
  'features.value': 'Value of the feature; absent if it has none.',
  'set_organization_feature>name': ['Feature', 'Name of the feature to set.'],
  'set_organization_feature>value':
    'Value of the feature; it replaces an earlier one. Send an empty string for a feature without value.',
  'remove_organization_feature>name': ['Feature', 'Name of the feature to remove.'],
  disableEmailRecovery: 'Starts the sub-organization without recovery by email. Default: false.',
  disableEmailAuth: [
    'Disable email login',
    'Starts the sub-organization without login by a mailed key. Default: false.',
  ],
  disableSmsAuth: [
    'Disable SMS login',
    'Starts the sub-organization without login by codes in text messages. Default: false.',
  ],
  disableOtpEmailAuth: [
    'Disable email codes',
    'Starts the sub-organization without login by mailed codes. Default: false.',
  ],
  deleteWithoutExport:
    'Allows deletion of keys that were never exported and are lost with it. Default: false.',
  tagId: 'UUID of the tag.',
  tagName: 'Name of the tag.',
  tagType: 'Whether the tag marks users or private keys.',
  userTagId: 'UUID of the user tag.',
  userTagIds: 'UUIDs of user tags.',
  'update_user>userTagIds':
    'UUIDs of the tags that replace those of the user; absent or empty: the tags stay.',
  'userTagName privateKeyTagName': 'Name of the new tag.',
  'newUserTagName newPrivateKeyTagName': [
    'New name',
    'New name of the tag; absent: the name stays.',
  ],
  addUserIds: ['Users to add', 'UUIDs of the users that get the tag.'],
  removeUserIds: ['Users to remove', 'UUIDs of the users that lose the tag.'],
  'create_user_tag>userIds': ['Users', 'UUIDs of the users that get the tag.'],
  userTags: 'UUIDs of the tags of the user.',
  'list_user_tags=userTags': 'All user tags of the organization.',
  privateKeyTagId: 'UUID of the private key tag.',
  privateKeyTagIds: 'UUIDs of private key tags.',
  addPrivateKeyIds: ['Private keys to add', 'UUIDs of the private keys that get the tag.'],
  removePrivateKeyIds: ['Private keys to remove', 'UUIDs of the private keys that lose the tag.'],
  privateKeyTags: 'UUIDs of the tags of the private key.',
  'list_private_key_tags=privateKeyTags': 'All private key tags of the organization.',
  allowlist: ['IP allowlist', 'The list of the organization, or of the public key that was named.'],
  rules: 'Ranges of addresses from which requests are accepted.',
  cidr: ['CIDR range', 'Range of addresses in CIDR notation, for example 192.0.2.0/24.'],
  'rules.label': 'Name of the range, for people.',
  'rules.createdAt': 'Time at which the rule was added.',
  enabled: 'True enforces the list; a list without rules then refuses every request.',
  'set_ip_allowlist>publicKey':
    'API key that the list is for, in hex; absent: the list of the whole organization.',
  'remove_ip_allowlist>publicKey':
    'API key whose list is removed, in hex; absent: the list of the whole organization.',
  'get_ip_allowlist?publicKey':
    'API key whose list is read, in hex; absent: the list of the whole organization.',
  'allowlist.publicKey': 'API key that the list is for, in hex; absent: the whole organization.',
  onEvaluationError: 'What to do with a request whose address cannot be read. Default: DENY.',
  filterType: 'Kind of value by which sub-organizations are found.',
  filterValue: 'Value that the sub-organizations must have, compared exactly.',
  paginationOptions: ['Page', 'Which part of the list to return.'],
  limit: 'Rows on the page: 1 to 100. Default: 10.',
  'list_webhook_deliveries?limit': 'Deliveries on the page: 1 to 100. Default: 10.',
  before: 'Returns rows before the row with this UUID, which is excluded.',
  after: 'Returns rows after the row with this UUID, which is excluded.',
  createdAt: 'Time of creation.',
  updatedAt: 'Time of the last change.',
};
