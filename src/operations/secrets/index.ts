import { delete_secrets } from './delete_secrets.ts';
import { export_secrets } from './export_secrets.ts';
import { import_secrets } from './import_secrets.ts';
import { init_import_secrets } from './init_import_secrets.ts';
import { list_secrets } from './list_secrets.ts';

export const secretActivities = {
  init_import_secrets,
  import_secrets,
  export_secrets,
  delete_secrets,
};
export const secretQueries = { list_secrets };
