import { create_private_keys } from './create_private_keys.ts';
import { delete_private_keys } from './delete_private_keys.ts';
import { export_private_key } from './export_private_key.ts';
import { get_private_key } from './get_private_key.ts';
import { import_private_key } from './import_private_key.ts';
import { init_import_private_key } from './init_import_private_key.ts';
import { list_private_keys } from './list_private_keys.ts';

export const privateKeyActivities = {
  create_private_keys,
  delete_private_keys,
  export_private_key,
  import_private_key,
  init_import_private_key,
};
export const privateKeyQueries = { get_private_key, list_private_keys };
