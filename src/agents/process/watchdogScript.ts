import { MARKER_VARIABLE } from './environment.js';
import { LIMIT_BEGINNING, MARKER_BEGINNING } from './turnMarker.js';

/**
 * What the watchdog does, in the words of any shell. `$1` is the folder of our control groups, or empty; `$2` and
 * `$3` tell those who have our limit and are no agents, see `filterOfOthers`. Each line of
 * its input says `watch GROUP`, `note GROUP PID START` for a descendant that was seen, or `forget GROUP`. At the end of
 * the input our process is gone, however it went, and so must be all it started: the groups, the descendants, and
 * whatever carries a mark of ours.
 *
 * Descendants are stopped as they are found, until a look finds no more: who is stopped starts nobody, and once a parent
 * is dead nothing tells whose its children were. A mark is hidden while a program is started, so two looks must have
 * found none. dash knows no `kill -KILL -- -GROUP`. The name in `stat` may hold anything, line ends too; the start is the
 * 20th field after it.
 */
export const WATCHDOG_SCRIPT = `
folder=$1 mask=$2 others=$3 groups= notes=
drop() { kept=; for each in $2; do [ "\${each%%:*}" = "$1" ] || kept="$kept $each"; done; }
while read -r verb group pid start; do
  case $verb in
    watch) groups="$groups $group" ;;
    note) notes="$notes $group:$pid:$start" ;;
    forget) drop "$group" "$groups"; groups=$kept; drop "$group" "$notes"; notes=$kept ;;
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
      [ "$((0x0$filter & mask))" = "$others" ] && continue
    esac
    pid=\${file#/proc/}; marked="$marked \${pid%/*}"
  done
}
stop_kin() {
  for group in $groups; do kill -s STOP -- "-$group"; done
  for pid in $marked; do kill -s STOP "$pid"; done
  kin=" $groups $marked "
  grew=yes
  while [ -n "$grew" ]; do
    grew=
    for process in /proc/[0-9]*; do
      stat=
      while read -r line; do stat="$stat$line "; done <"$process/stat"
      pid=\${process#/proc/}
      set -- \${stat##*) }
      case $kin in *" $pid "*) continue ;; esac
      case "$kin:$notes " in *" $2 "*:* | *:*":$pid:\${20} "*) ;; *) continue ;; esac
      kill -s STOP "$pid" && kin="$kin$pid " grew=yes
    done
  done
}

kin=
find_marked
[ -z "$groups$marked" ] || stop_kin
[ -z "$folder" ] || echo 1 >"$folder/cgroup.kill"
for group in $groups; do kill -s KILL -- "-$group"; done
for pid in $kin; do kill -s KILL "$pid"; done
unseen=0
for round in 1 2 3 4 5 6 7 8; do
  find_marked
  for pid in $marked; do kill -s KILL "$pid"; done
  if [ -z "$marked" ]; then unseen=$((unseen + 1)); else unseen=0; fi
  [ "$unseen" = 2 ] && break
done
for round in 1 2 3 4 5 6 7 8; do
  [ -n "$folder" ] && [ -d "$folder" ] || break
  find "$folder" -depth -type d -exec rmdir {} \\; || sleep 0.1
done
exit 0
`;
