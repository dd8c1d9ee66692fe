export { create_address_label } from './create_address_label.ts';
export { delete_address_label } from './delete_address_label.ts';
export { list_address_labels } from './list_address_labels.ts';
export { update_address_label } from './update_address_label.ts';
