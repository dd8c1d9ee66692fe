export { create_freeze } from './create_freeze.ts';
export { delete_freeze } from './delete_freeze.ts';
export { list_freezes } from './list_freezes.ts';
