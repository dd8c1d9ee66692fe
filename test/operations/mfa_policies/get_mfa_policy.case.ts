import { mfaPolicyIds } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: ({ userId, mfaPolicyId }) => ({ userId, mfaPolicyId }) }],
  generate: mfaPolicyIds,
});
