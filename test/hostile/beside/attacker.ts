// The thread of an attacker: runs the attack of a file until the thread is terminated.

import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';

// Real attackers use other machines, so here the service and the neighbour get the cores first.
const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
setPriority(thread, constants.priority.PRIORITY_LOW);

const { attackFile, target } = workerData;
const { attack } = await import(attackFile);
await attack(target);
