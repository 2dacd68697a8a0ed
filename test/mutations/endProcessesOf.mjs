import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Ends what works in a copy, one process after the other: a mutant may leave some behind. */
export function endProcessesOf(folder) {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/u.test(name))) {
    try {
      if (signsOf(pid).some((sign) => sign.includes(folder))) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended meanwhile, or belongs to somebody else.
    }
  }
}

/** Where a process works, what it was started as, and with which variables. */
function signsOf(pid) {
  return [
    readlinkSync(`/proc/${pid}/cwd`),
    readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
    readFileSync(`/proc/${pid}/environ`, 'utf8'),
  ];
}
