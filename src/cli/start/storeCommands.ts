import type { Command } from 'commander';
import { words } from '../../catalogue/words.js';
import type { AddCommand } from './AddCommand.js';

/** Adds `huddle store …` and `huddle key`. */
export function addStoreCommands(program: Command, add: AddCommand): void {
  const { help } = words;
  const { options } = help;
  const store = program.command('store').description(help.store);
  const load = () => import('../commands/store.js');
  const loadRoles = () => import('../commands/storeRoles.js');

  add('storeInit', 'writes', async () => (await load()).initStore, store.command('init'))
    .argument('<store>', help.storeName)
    .option('--url <url>', options.storeUrl)
    .option('--force', options.forceStore);
  add('storeAdd', 'writes', async () => (await load()).addStore, store.command('add'))
    .argument('<store>', help.storeName)
    .argument('<url>', help.storeUrl)
    .option('--force', options.forceStore);
  add('storeInvite', 'writes', async () => (await loadRoles()).inviteToStore, store.command('invite'))
    .argument('<store>', help.storeName)
    .argument('<role>', help.storeRole)
    .option('--worker', options.storeWorker);
  add('storeRemove', 'writes', async () => (await loadRoles()).removeFromStore, store.command('remove'))
    .argument('<store>', help.storeName)
    .argument('<role>', help.storeRole);
  add(
    'storeUpgrade',
    'writes',
    async () => (await loadRoles()).upgradeStore,
    store.command('upgrade'),
  ).argument('<store>', help.storeName);
  add(
    'storeCheck',
    'reads',
    async () => (await import('../commands/storeCheck.js')).checkStore,
    store.command('check'),
  )
    .argument('[store]', help.storeName)
    .option('--json', options.json);
  add('storeList', 'reads', async () => (await load()).listStores, store.command('list')).option(
    '--json',
    options.json,
  );

  add('worker', 'starts', async () => (await import('../commands/worker.js')).worker)
    .option('--file <file>', options.workerFile)
    .option('--debug-file <file>', options.debugFile);
  add('key', 'writes', async () => (await import('../commands/key.js')).key).option('--new', options.newKey);
}
