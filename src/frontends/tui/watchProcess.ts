import type { EventEmitter } from 'node:events';
import type { TerminalExit } from './FrontEnd.js';

export interface ProcessWatch {
  /** The caller's own way to end it. */
  readonly signal: AbortSignal;
  onExit(exit: TerminalExit): void;
  onCrash(error: unknown): void;
  /** Ctrl-C where the terminal makes a signal of it; without this it ends the session like any other. */
  readonly onInterrupt?: () => void;
  /** Nothing more can be typed; without this the terminal is taken to be gone. */
  readonly onInputEnd?: () => void;
  /** The process ends in any case; only what takes no time can be done. */
  onProcessEnd(): void;
}

const SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGINT'];

const ignore = (): void => undefined;

/** Listens for everything that ends a terminal session from outside. Returns the function that stops listening. */
export function watchProcess(watch: ProcessWatch): () => void {
  const { signal, onExit, onCrash, onProcessEnd } = watch;
  const onAbort = () => onExit({ reason: 'aborted' });
  const onSignal = (name: NodeJS.Signals) => {
    if (name === 'SIGINT' && watch.onInterrupt !== undefined) watch.onInterrupt();
    else onExit({ reason: 'signal', signal: name });
  };
  const onDisconnect = () => onExit({ reason: 'disconnected' });
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const listeners: ReadonlyArray<readonly [EventEmitter, ...Parameters<EventEmitter['on']>]> = [
    ...SIGNALS.map((name) => [process, name, onSignal] as const),
    [process, 'uncaughtException', onCrash],
    [process, 'exit', onProcessEnd],
    [process.stdin, 'end', watch.onInputEnd ?? onDisconnect],
    [process.stdin, 'error', onDisconnect],
    [process.stdout, 'error', onDisconnect],
  ];
  for (const [emitter, event, listener] of listeners) emitter.on(event, listener);
  // A terminal that is gone makes every write fail, also those on the way out, so one listener stays to the end.
  process.stdout.off('error', ignore).on('error', ignore);
  return () => {
    signal.removeEventListener('abort', onAbort);
    for (const [emitter, event, listener] of listeners) emitter.off(event, listener);
  };
}
