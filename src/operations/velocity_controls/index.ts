import { create_velocity_control } from './create_velocity_control.ts';
import { delete_velocity_control } from './delete_velocity_control.ts';
import { delete_velocity_controls } from './delete_velocity_controls.ts';
import { get_velocity_control } from './get_velocity_control.ts';
import { list_velocity_controls } from './list_velocity_controls.ts';
import { list_velocity_usage } from './list_velocity_usage.ts';

export const velocityControlActivities = {
  create_velocity_control,
  delete_velocity_control,
  delete_velocity_controls,
};
export const velocityControlQueries = {
  get_velocity_control,
  list_velocity_controls,
  list_velocity_usage,
};
