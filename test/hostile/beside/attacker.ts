// The thread of an attacker: runs the attack of a file until the thread is ended.

import { workerData } from 'node:worker_threads';

const { attackFile, target } = workerData;
const { attack } = await import(attackFile);
await attack(target);
