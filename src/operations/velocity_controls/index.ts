export { create_velocity_control } from './create_velocity_control.ts';
export { delete_velocity_control } from './delete_velocity_control.ts';
export { delete_velocity_controls } from './delete_velocity_controls.ts';
export { get_velocity_control } from './get_velocity_control.ts';
export { list_velocity_controls } from './list_velocity_controls.ts';
export { list_velocity_usage } from './list_velocity_usage.ts';
