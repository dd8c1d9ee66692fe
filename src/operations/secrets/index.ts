export { delete_secrets } from './delete_secrets.ts';
export { export_secrets } from './export_secrets.ts';
export { import_secrets } from './import_secrets.ts';
export { init_import_secrets } from './init_import_secrets.ts';
export { list_secrets } from './list_secrets.ts';
