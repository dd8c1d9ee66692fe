// Descriptions in the format of ERC-7730, written for the tests.

export const vault = '0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B';
export const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';

const $schema = 'https://example.org/specs/erc7730-v2.schema.json';

/** A vault that takes orders, on Ethereum. */
export const vaultDescription = {
  $schema,
  context: { $id: 'Vault', contract: { deployments: [{ chainId: 1, address: vault }] } },
  metadata: {
    owner: 'Example',
    contractName: 'Example Vault',
    info: { url: 'https://example.org' },
    token: { name: 'Share', ticker: 'SHARE', decimals: 3 },
    constants: { coin: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE' },
    enums: { mode: { '1': 'stable', '2': 'variable' } },
  },
  display: {
    definitions: {
      paid: {
        label: 'You pay',
        format: 'tokenAmount',
        params: { nativeCurrencyAddress: '$.metadata.constants.coin' },
      },
    },
    formats: {
      'order((address token, uint256 amount)[] legs, address to, uint256 until, uint8 mode, uint256 shares, bytes32 salt)':
        {
          $id: 'order',
          intent: 'Place an order',
          interpolatedIntent: 'Order for {to}',
          fields: [
            {
              path: 'legs.[]',
              fields: [
                {
                  path: 'amount',
                  $ref: '$.display.definitions.paid',
                  params: { tokenPath: 'token' },
                },
              ],
            },
            { path: '#.to', label: 'To', format: 'addressName', params: { types: ['eoa'] } },
            { path: 'until', label: 'Until', format: 'date', params: { encoding: 'timestamp' } },
            {
              path: 'mode',
              label: 'Rate',
              format: 'enum',
              params: { $ref: '$.metadata.enums.mode' },
            },
            {
              path: 'shares',
              label: 'Shares',
              format: 'tokenAmount',
              params: { tokenPath: '@.to', threshold: '0xffffffff', message: 'All' },
            },
            { path: 'salt', label: 'Salt', visible: 'never' },
            { path: '@.value', label: 'Coins', format: 'amount' },
          ],
        },
      'pause(bool on)': { intent: 'Pause', fields: [] },
    },
  },
};

/** The permit of a token, as typed data. */
export const permitDescription = {
  $schema,
  context: {
    eip712: {
      domain: { name: 'USD Coin' },
      deployments: [{ chainId: 1, address: usdc }],
    },
  },
  metadata: { owner: 'Circle' },
  display: {
    formats: {
      'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)': {
        intent: 'Let another account spend',
        fields: [
          { path: 'spender', label: 'Spender', format: 'addressName' },
          {
            path: 'value',
            label: 'At most',
            format: 'tokenAmount',
            params: { tokenPath: '@.to' },
          },
          { path: 'deadline', label: 'Valid until', format: 'date' },
          { path: 'owner', label: 'Owner', format: 'addressName' },
          { path: 'nonce', label: 'Nonce', visible: 'never' },
        ],
      },
    },
  },
};
