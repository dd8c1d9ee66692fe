import { rowsOf } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: ({ ephemeralKey }) => ({ ephemeralKey }) }],
  generate: (world) => {
    const [statement] = world.choice.some(rowsOf(world, 'boot_statement'), 1);
    return { ephemeralKey: statement?.ephemeralPublicKeyHex ?? '04'.repeat(130) };
  },
});
