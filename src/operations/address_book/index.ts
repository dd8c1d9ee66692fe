import { create_address_label } from './create_address_label.ts';
import { delete_address_label } from './delete_address_label.ts';
import { list_address_labels } from './list_address_labels.ts';
import { update_address_label } from './update_address_label.ts';

export const addressBookActivities = {
  create_address_label,
  update_address_label,
  delete_address_label,
};
export const addressBookQueries = { list_address_labels };
