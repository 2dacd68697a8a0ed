import type { Command } from 'commander';
import { words } from '../catalogue/words.js';
import type { AddCommand } from './AddCommand.js';

/** Adds `huddle store …` and `huddle key`. */
export function addStoreCommands(program: Command, add: AddCommand): void {
  const { help } = words;
  const { options } = help;
  const store = program.command('store').description(help.store);
  const load = () => import('./commands/store.js');
  const loadRoles = () => import('./commands/storeRoles.js');

  add('storeInit', async () => (await load()).initStore, store.command('init'))
    .argument('<store>', help.storeName)
    .option('--url <url>', options.storeUrl)
    .option('--force', options.forceStore);
  add('storeAdd', async () => (await load()).addStore, store.command('add'))
    .argument('<store>', help.storeName)
    .argument('<url>', help.storeUrl)
    .option('--force', options.forceStore);
  add('storeInvite', async () => (await loadRoles()).inviteToStore, store.command('invite'))
    .argument('<store>', help.storeName)
    .argument('<role>', help.storeRole)
    .option('--worker', options.storeWorker);
  add('storeRemove', async () => (await loadRoles()).removeFromStore, store.command('remove'))
    .argument('<store>', help.storeName)
    .argument('<role>', help.storeRole);
  add('storeUpgrade', async () => (await loadRoles()).upgradeStore, store.command('upgrade')).argument(
    '<store>',
    help.storeName,
  );
  add('storeCheck', async () => (await import('./commands/storeCheck.js')).checkStore, store.command('check'))
    .argument('[store]', help.storeName)
    .option('--json', options.json);
  add('storeList', async () => (await load()).listStores, store.command('list')).option(
    '--json',
    options.json,
  );

  add('worker', async () => (await import('./commands/worker.js')).worker)
    .option('--file <file>', options.workerFile)
    .option('--debug-file <file>', options.debugFile);
  add('key', async () => (await import('./commands/key.js')).key).option('--new', options.newKey);
}
