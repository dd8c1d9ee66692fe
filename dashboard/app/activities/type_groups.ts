// Groups of activity types for the filter "Type".

const versions = (name: string, last: number): readonly string[] =>
  Array.from({ length: last }, (_, i) => `ACTIVITY_TYPE_${name}${i === 0 ? '' : `_V${i + 1}`}`);

export const typeGroups = {
  all: [],
  payments: [
    ...versions('SIGN_TRANSACTION', 2),
    ...versions('ETH_SEND_TRANSACTION', 2),
    ...versions('SOL_SEND_TRANSACTION', 2),
    ...versions('EARN_DEPOSIT', 1),
    ...versions('EARN_WITHDRAW', 1),
    ...versions('EXECUTE_SWAP', 3),
  ],
  messages: [...versions('SIGN_RAW_PAYLOAD', 2), ...versions('SIGN_RAW_PAYLOADS', 1)],
  wallets: [
    ...versions('CREATE_WALLET', 1),
    ...versions('CREATE_WALLET_ACCOUNTS', 1),
    ...versions('IMPORT_WALLET', 1),
    ...versions('EXPORT_WALLET', 1),
    ...versions('DELETE_WALLETS', 1),
  ],
  custody: [
    ...versions('EXPORT_WALLET', 1),
    ...versions('EXPORT_WALLET_ACCOUNT', 1),
    ...versions('EXPORT_PRIVATE_KEY', 1),
    ...versions('IMPORT_WALLET', 1),
    ...versions('IMPORT_PRIVATE_KEY', 1),
    ...versions('DELETE_WALLETS', 1),
    ...versions('DELETE_WALLET_ACCOUNTS', 1),
    ...versions('DELETE_PRIVATE_KEYS', 1),
  ],
  freezes: [...versions('CREATE_FREEZE', 1), ...versions('DELETE_FREEZE', 1)],
  policies: [
    ...versions('CREATE_POLICY', 3),
    ...versions('CREATE_POLICIES', 1),
    ...versions('UPDATE_POLICY', 2),
    ...versions('DELETE_POLICY', 1),
    ...versions('DELETE_POLICIES', 1),
    ...versions('UPDATE_ROOT_QUORUM', 1),
  ],
  users: [
    ...versions('CREATE_USERS', 4),
    ...versions('UPDATE_USER', 1),
    ...versions('DELETE_USERS', 1),
    ...versions('CREATE_API_KEYS', 2),
    ...versions('CREATE_AUTHENTICATORS', 2),
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type TypeGroup = keyof typeof typeGroups;
