import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [
    { parameters: () => ({}) },
    { parameters: ({ userPublicKey: publicKey }) => ({ publicKey }), onlySelects: true },
  ],
});
