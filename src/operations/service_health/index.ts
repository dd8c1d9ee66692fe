export { get_service_health } from './get_service_health.ts';
