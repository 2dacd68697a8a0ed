import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmdir, rmdirSync, writeFile, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { tryTo } from '../../utils/tryTo.js';

/**
 * A control group (cgroup v2) of one agent. What a member starts is a member too, and no change of session, parent or
 * environment takes it out.
 */
export interface ControlGroup {
  /** Lets a process in, a moment from now: the kernel takes up to some 20 ms, which no caller should wait for. */
  admit(pid: number): void;
  /** Kills all members at once, those included that are being started. */
  kill(): void;
  members(): number[];
  /** Removes it if it is empty, a moment from now; otherwise it goes when we do. */
  remove(): void;
}

/** `undefined` until it is asked for; empty where there are no control groups, or none that this user may make. */
let folder: string | undefined;
let count = 0;

/** The folder of all our control groups. The watchdog empties and removes it when we are gone. */
export function controlGroupFolder(): string | undefined {
  folder ??= makeFolder();
  return folder || undefined;
}

/** `undefined` where processes have to be found in other ways. */
export function createControlGroup(): ControlGroup | undefined {
  const parent = controlGroupFolder();
  if (parent === undefined) return undefined;
  count += 1;
  const path = join(parent, String(count));
  if (!tryTo(() => mkdirSync(path))) return undefined;
  return {
    // Where it fails, the process is gone already.
    admit: (pid) => writeFile(join(path, 'cgroup.procs'), String(pid), () => undefined),
    kill: () => killMembers(path),
    members: () => readMembers(path),
    remove: () => rmdir(path, () => undefined),
  };
}

function makeFolder(): string {
  try {
    const path = join(findOwnGroup(), `huddle-${randomUUID()}`);
    mkdirSync(path);
    process.once('exit', () => tryTo(() => rmdirSync(path))); // The watchdog removes it where that is too early.
    return path;
  } catch {
    return ''; // In most places: no such file system, or not ours to write.
  }
}

/** The folder of the group that this process is in, see cgroups(7) and proc(5). */
function findOwnGroup(): string {
  const own = /^0::(.*)$/mu.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
  const mount = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .find((fields) => fields[fields.indexOf('-') + 1] === 'cgroup2');
  const [, , , root, mountPoint] = mount ?? [];
  if (own === undefined || root === undefined || mountPoint === undefined)
    throw new Error('no control groups');
  return join(mountPoint, relative(root, own));
}

/** Kills all members. Those that cannot be killed are gone, or not ours. */
function killMembers(path: string): void {
  // After most turns: the kernel takes milliseconds to kill no one.
  if (isEmpty(path)) return;
  // The file is absent before Linux 5.14: then one by one, and again at every look.
  if (tryTo(() => writeFileSync(join(path, 'cgroup.kill'), '1', { flag: 'r+' }))) return;
  for (const pid of readMembers(path)) tryTo(() => process.kill(pid, 'SIGKILL'));
}

/** Whether none is alive in it, so that none can be started there either. */
function isEmpty(path: string): boolean {
  try {
    return /^populated 0$/mu.test(readFileSync(join(path, 'cgroup.events'), 'latin1'));
  } catch {
    return false;
  }
}

function readMembers(path: string): number[] {
  try {
    return readFileSync(join(path, 'cgroup.procs'), 'latin1').split('\n').filter(Boolean).map(Number);
  } catch {
    return []; // The group is gone, and all its members.
  }
}
