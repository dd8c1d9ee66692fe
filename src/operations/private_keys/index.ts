export { create_private_keys } from './create_private_keys.ts';
export { delete_private_keys } from './delete_private_keys.ts';
export { export_private_key } from './export_private_key.ts';
export { get_private_key } from './get_private_key.ts';
export { import_private_key } from './import_private_key.ts';
export { init_import_private_key } from './init_import_private_key.ts';
export { list_private_keys } from './list_private_keys.ts';
