import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { controlGroupFolder } from './controlGroup.js';
import { filterOfOthers, LIMIT_BEGINNING, MARKER_BEGINNING } from './markedStart.js';
import { MARKER_VARIABLE, type ProcessEntry, readStart } from './processTable.js';

/**
 * The program of the watchdog, for any shell. `$1` is the folder of our control groups, or empty; `$2` and
 * `$3` tell those who have our limit and are no agents, see `filterOfOthers`. Each line of
 * its input says `wake` before a start, `watch GROUP START`, `note GROUP PID START` for a descendant that was seen, or
 * `forget GROUP`. At the end of the input our process is gone, however it went, and so must be all it started: the groups,
 * the descendants, and whatever carries a mark of ours. Where the last word was that a group is forgotten and no other is
 * watched, nothing is left, and nothing is looked for.
 *
 * A group that is empty may be gone, and its number another's by now: that one began at another time. As long as a group has
 * members, no one is given its number.
 *
 * Descendants are stopped as they are found, until a look finds no more: what is stopped starts no other, and once a parent
 * is dead nothing tells whose its children were. A mark is hidden while a program is started, so two looks must have
 * found none. A process that is dying has its limit to the end and no filter any more: it is no agent's then, since it may be
 * our own, whose children are this shell and all that is no agent, or a grep of this shell. dash knows no
 * `kill -KILL -- -GROUP`. The name in `stat` may hold anything, line ends too; the start is the 20th field after it.
 */
const SCRIPT = `
folder=$1 mask=$2 others=$3 groups= notes= left=
drop() { kept=; for each in $2; do [ "\${each%%:*}" = "$1" ] || kept="$kept $each"; done; }
while read -r verb group pid start; do
  case $verb in
    wake) left=yes ;;
    watch) groups="$groups $group:$pid" ;;
    note) notes="$notes $group:$pid:$start" ;;
    forget) drop "$group" "$groups"; groups=$kept; drop "$group" "$notes"; notes=$kept left=$groups ;;
  esac
done

find_marked() {
  marked=
  for file in $(
    grep -lsF ${MARKER_VARIABLE}=${MARKER_BEGINNING} /proc/[0-9]*/environ
    grep -ls "^Max resident set *${LIMIT_BEGINNING}" /proc/[0-9]*/limits
  ); do
    filter=
    case $file in *limits)
      read -r filter <"\${file%limits}coredump_filter"
      [ "$others" = none ] || [ -n "$filter" ] || continue
      [ "$((0x0$filter & mask))" = "$others" ] && continue
    esac
    pid=\${file#/proc/}; marked="$marked \${pid%/*}"
  done
}
read_stat() {
  stat=
  while read -r line; do stat="$stat$line "; done <"/proc/$1/stat"
}
is_ours() {
  group=\${1%%:*} began=\${1#*:}
  read_stat "$group"
  set -- \${stat##*) }
  [ -z "$stat" ] || [ -z "$began" ] || [ "\${20}" = "$began" ]
}
stop_kin() {
  kin=' '
  for watched in $groups; do
    is_ours "$watched" && kill -s STOP -- "-$group" && [ -n "$stat" ] && kin="$kin$group "
  done
  for pid in $marked; do kill -s STOP "$pid" && kin="$kin$pid "; done
  grew=yes
  while [ -n "$grew" ]; do
    grew=
    for process in /proc/[0-9]*; do
      pid=\${process#/proc/}
      read_stat "$pid"
      set -- \${stat##*) }
      case $kin in *" $pid "*) continue ;; esac
      case "$kin:$notes " in *" $2 "*:* | *:*":$pid:\${20} "*) ;; *) continue ;; esac
      kill -s STOP "$pid" && kin="$kin$pid " grew=yes
    done
  done
}

if [ -n "$left" ]; then
  kin=
  find_marked
  [ -z "$groups$marked" ] || stop_kin
  [ -z "$folder" ] || echo 1 >"$folder/cgroup.kill"
  for watched in $groups; do is_ours "$watched" && kill -s KILL -- "-$group"; done
  for pid in $kin; do kill -s KILL "$pid"; done
  unseen=0
  for round in 1 2 3 4 5 6 7 8; do
    find_marked
    for pid in $marked; do kill -s KILL "$pid"; done
    if [ -z "$marked" ]; then unseen=$((unseen + 1)); else unseen=0; fi
    [ "$unseen" = 2 ] && break
  done
fi
for round in 1 2 3 4 5 6 7 8; do
  [ -n "$folder" ] && [ -d "$folder" ] || break
  find "$folder" -depth -type d -exec rmdir {} \\; || sleep 0.1
done
exit 0
`;

/**
 * A small shell in its own session that outlives us by a moment: it kills what we started if we are killed ourselves.
 * It neither keeps us alive nor stays when we are gone.
 */
class Watchdog {
  #pipe: Socket | undefined;
  /** Lines about each group, to be repeated to another shell. */
  readonly #groups = new Map<number, string[]>();

  /** Call before a process is started: from then on no moment is left uncovered. Without a shell turns still run. */
  wake(): void {
    if (!this.#pipe?.writable) {
      this.#pipe = startShell();
      this.#pipe?.write([...this.#groups.values()].flat().join(''));
    }
    this.#pipe?.write('wake\n');
  }

  /** Call as soon as its leader is started: before anyone can have taken note of its end. */
  watch(group: number): void {
    this.#groups.set(group, []);
    this.#tell(group, `watch ${group} ${readStart(group)}\n`);
  }

  /** A descendant that may be in no group we watch. */
  note(group: number, { pid, start }: ProcessEntry): void {
    this.#tell(group, `note ${group} ${pid} ${start}\n`);
  }

  forget(group: number): void {
    this.#groups.delete(group);
    this.#pipe?.write(`forget ${group}\n`);
  }

  #tell(group: number, line: string): void {
    this.#groups.get(group)?.push(line);
    this.#pipe?.write(line);
  }
}

function startShell(): Socket | undefined {
  try {
    const shell = spawn('/bin/sh', ['-c', SCRIPT, 'sh', controlGroupFolder() ?? '', ...filterOfOthers()], {
      detached: true,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    // Node types the pipe as any stream; it is a socket, and missing when there are no descriptors left.
    const pipe = shell.stdin as Socket | undefined;
    shell.on('error', () => pipe?.destroy());
    pipe?.on('error', () => pipe.destroy());
    shell.unref();
    pipe?.unref();
    return pipe;
  } catch {
    return undefined; // `spawn` reports some shortages by throwing and others by an event.
  }
}

/** The one watchdog of this process. */
export const watchdog = new Watchdog();
