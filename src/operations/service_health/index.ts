import { get_service_health } from './get_service_health.ts';

export const serviceHealthQueries = { get_service_health };
