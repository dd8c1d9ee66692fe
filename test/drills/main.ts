// Runs a drill of an operator by its name in the table below: `npm run drill -- rolling-restart`.

import { parseArgs } from 'node:util';
import { roundTrip } from '../export/many_wallets.ts';
import { startPostgresServer } from '../store/postgres_server.ts';
import { withTemporaryDirectory } from '../store/temporary_directory.ts';
import { failOver } from './failover.ts';
import { soakMarkets } from './markets.ts';
import { missingPatroni, startPatroniPair } from './patroni_pair.ts';
import type { ProxyName } from './proxies.ts';
import { restartRolling } from './rolling_restart.ts';
import { soakSends } from './sends.ts';
import { soak, type Taken } from './soak.ts';
import { soakSponsored } from './sponsored.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    requests: { type: 'string', default: '10000' },
    proxy: { type: 'string', default: 'haproxy,nginx' },
    rounds: { type: 'string', default: '3' },
    rate: { type: 'string', default: '300' },
    minutes: { type: 'string', default: '2' },
    transfers: { type: 'string', default: '1000' },
    wallets: { type: 'string', default: '10000' },
    family: { type: 'string', default: 'ethereum,solana' },
  },
});

const leastMinutesOfSlope = 30;
const maximumMegabytesPerHour = 2;
const maximumDescriptorsPerHour = 2;

const proxies = (['haproxy', 'nginx'] satisfies ProxyName[]).filter((name) =>
  values.proxy.split(',').includes(name),
);

const drills: Readonly<Record<string, () => Promise<boolean>>> = {
  'rolling-restart': async () => {
    const server = await startPostgresServer();
    try {
      let isFine = true;
      for (const name of proxies) {
        const result = await restartRolling(server, name, Number(values.requests));
        print(name, result);
        isFine &&= result.outcomes['200'] === result.requests;
      }
      return isFine;
    } finally {
      await server.remove();
    }
  },
  failover: async () => {
    let lost = 0;
    for (let round = 0; round < Number(values.rounds); round += 1) {
      for (const promoteAfterMs of [0, 2_000]) {
        const result = await failOver({ loss: 'kill -9', signatures: 1_000, promoteAfterMs });
        print(`kill -9, promoted after ${promoteAfterMs} ms`, result);
        lost += result.lost;
      }
    }
    const hung = await failOver({ loss: 'kill -STOP', signatures: 1_000, promoteAfterMs: 0 });
    print('kill -STOP', hung);
    return lost + hung.lost === 0;
  },
  patroni: async () => {
    const missing = missingPatroni();
    if (missing !== undefined) {
      process.stderr.write(`${missing}\n`);
      return false;
    }
    let isFine = true;
    for (let round = 0; round < Number(values.rounds); round += 1) {
      const result = await failOver({
        loss: 'kill -9',
        signatures: 1_000,
        promoteAfterMs: 0,
        startPair: startPatroniPair,
      });
      print('kill -9 of PostgreSQL and Patroni', result);
      isFine &&= result.lost === 0 && result.outageMs <= result.promotionMs + 2_000;
    }
    return isFine;
  },
  sends: async () => {
    const result = await soakSends({ transfers: Number(values.transfers) });
    print('sends', result);
    return result.landedOnce === result.transfers && result.wrongStatuses === 0;
  },
  sponsored: async () => {
    const transfers = Number(values.transfers);
    let isFine = true;
    for (const family of ['ethereum', 'solana'] as const) {
      if (!values.family.split(',').includes(family)) continue;
      const result = await soakSponsored({ family, transfers, every: transfers / 20 });
      print(family, result);
      isFine &&= result.landedOnce === transfers && result.wrongStatuses === 0;
      isFine &&= result.isSpendOfChain && result.isCountOfChain && result.aboveLimit.signed === 0;
    }
    return isFine;
  },
  markets: async () => {
    const rounds = Number(values.transfers) / 2;
    const result = await soakMarkets({ rounds, every: rounds / 10 });
    print('markets', result);
    const { deposits, swaps, areDepositsOfChain, areSwapsOfChain } = result;
    return deposits + swaps === 2 * rounds && areDepositsOfChain && areSwapsOfChain;
  },
  exit: async () => {
    let isSame = false;
    await withTemporaryDirectory(async (folder) => {
      const result = await roundTrip(folder, Number(values.wallets));
      print('exit', result);
      isSame = result.same === result.wallets;
    });
    return isSame;
  },
  soak: async () => {
    const minutes = Number(values.minutes);
    const { gateway, enclave, ...load } = await soak({
      perSecond: Number(values.rate),
      seconds: minutes * 60,
    });
    print('signatures', load);
    print('gateway', gateway);
    print('enclave', enclave);
    // A short run is only warm-up.
    const isLong = minutes >= leastMinutesOfSlope;
    const holds = (taken: Taken) =>
      !isLong ||
      (taken.floorMegabytesPerHour <= maximumMegabytesPerHour &&
        taken.descriptorsPerHour <= maximumDescriptorsPerHour);
    if (!isLong) print('slopes are judged from a run of minutes', { leastMinutesOfSlope });
    return load.outcomes['200'] === load.requests && holds(gateway) && holds(enclave);
  },
};

function print(title: string, result: object): void {
  const rounded = JSON.stringify(result, (_, value) =>
    typeof value === 'number' ? Math.round(value) : value,
  );
  process.stdout.write(`${title}: ${rounded}\n`);
}

const drill = drills[positionals[0] ?? ''];
if (drill === undefined) {
  process.stderr.write(`expected one of: ${Object.keys(drills).join(', ')}\n`);
  process.exitCode = 2;
} else {
  process.exitCode = (await drill()) ? 0 : 1;
}
