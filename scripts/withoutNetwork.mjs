// Foreign programs are run where there is nobody to talk to but this machine itself.

/** Network namespaces are a thing of Linux. */
export const canCutOff = process.platform === 'linux';

/** The command in a network namespace of its own, which has the loopback interface and nothing else. */
export function withoutNetwork(command) {
  const asRoot = process.getuid() === 0 ? [] : ['--map-root-user'];
  return ['unshare', ...asRoot, '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...command];
}
