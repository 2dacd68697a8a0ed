import type { EventEmitter } from 'node:events';
import { HuddleError } from '../../models/errors.js';
import { type FrontEnd, isHangUp, type TerminalExit } from './FrontEnd.js';
import { TerminalSession } from './session/TerminalSession.js';
import type { CreateView } from './session/TerminalView.js';

/** Handlers for what the system reports to a view that does not read every key itself. */
type SystemKeys = (session: TerminalSession) => Partial<Pick<ProcessWatch, 'onInterrupt' | 'onInputEnd'>>;

/** Holds a session in a view of this kind; whatever happens, the terminal is given back. */
export function createFrontEnd(createView: CreateView, systemKeys: SystemKeys = () => ({})): FrontEnd {
  return async (conversation, options, signal = new AbortController().signal) => {
    if (!process.stdin.isTTY || !process.stdout.isTTY)
      throw new HuddleError('NOT_A_TERMINAL', options.words.terminal.notATerminal);
    let leave!: (exit: TerminalExit) => void;
    let fail!: (error: unknown) => void;
    const left = new Promise<TerminalExit>((resolve, reject) => {
      [leave, fail] = [resolve, reject];
    });
    const session = new TerminalSession(conversation, options, createView, leave);
    const stopWatching = watchProcess({
      signal,
      onExit: leave,
      onCrash: fail,
      onProcessEnd: () => session.restore(),
      ...systemKeys(session),
    });
    try {
      session.start();
      const exit = await left;
      if (!isHangUp(exit)) await session.close();
      return exit;
    } finally {
      session.restore();
      stopWatching();
    }
  };
}

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
