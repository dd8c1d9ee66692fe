import { create_smart_contract_interface } from './create_smart_contract_interface.ts';
import { delete_smart_contract_interface } from './delete_smart_contract_interface.ts';
import { get_smart_contract_interface } from './get_smart_contract_interface.ts';
import { list_smart_contract_interfaces } from './list_smart_contract_interfaces.ts';

export const smartContractInterfaceActivities = {
  create_smart_contract_interface,
  delete_smart_contract_interface,
};
export const smartContractInterfaceQueries = {
  get_smart_contract_interface,
  list_smart_contract_interfaces,
};
