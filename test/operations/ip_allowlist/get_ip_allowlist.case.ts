import { publicKeyOf } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [
    { parameters: () => ({}) },
    { parameters: ({ userPublicKey: publicKey }) => ({ publicKey }), onlySelects: true },
  ],
  generate: (world) => (world.choice.chance(0.5) ? {} : { publicKey: publicKeyOf(world) }),
});
