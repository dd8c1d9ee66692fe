import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: () => ({ enclaveType: 'signer' }) }],
  generate: () => ({ enclaveType: 'signer' }),
});
