// The shared store: the contract of the port, and what is particular to PostgreSQL.

import { after } from 'node:test';
import { openPostgresStore } from '../../src/store/postgres.ts';
import { storeConformance } from '../conformance/store.ts';
import { storeMatchesModel } from './model.ts';
import { newDatabase, newSchema, postgresForTests } from './postgres_server.ts';

const server = await postgresForTests();
if (server !== undefined) {
  after(() => server.remove());
  const database = await newDatabase(server.url);
  const open = async () => openPostgresStore({ url: await newSchema(database), log: () => {} });

  storeConformance('postgres', open);
  storeMatchesModel('postgres', open);
}
