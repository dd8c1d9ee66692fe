export { create_smart_contract_interface } from './create_smart_contract_interface.ts';
export { delete_smart_contract_interface } from './delete_smart_contract_interface.ts';
export { get_smart_contract_interface } from './get_smart_contract_interface.ts';
export { list_smart_contract_interfaces } from './list_smart_contract_interfaces.ts';
