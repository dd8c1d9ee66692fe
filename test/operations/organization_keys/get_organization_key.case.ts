import { queryCase } from '../case.ts';
import { nothing } from '../case_parts.ts';

export default queryCase({ readers: 'every user', calls: nothing, generate: () => ({}) });
