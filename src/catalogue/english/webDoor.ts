import { counted } from '../counted.js';

/** Sentences of `huddle web` in the terminal, and what to do about requests that its server refuses. */
export const webDoorText = {
  address: (address: string) => `Open ${address}`,
  watchAddress: (address: string) => `Open ${address} (watch only)`,
  once: 'The code in it works once, for 10 minutes.',
  onceOrEnter: 'The code in it works once, for 10 minutes. Enter: new code. Ctrl-C: stop.',
  otherPort: (usual: number, port: number) => `Port ${usual} is in use; using ${port}.`,
  letIn: {
    full: (browsers: number) => `A browser was let in (full). ${counted(browsers, 'browser')} in.`,
    watch: (browsers: number) => `A browser was let in (watch). ${counted(browsers, 'browser')} in.`,
  },
  anotherAddress: (address: string) => `For another browser: ${address}`,
  opened: (code: string) => `Opening your browser. Paste this code there: ${code}`,
  cannotOpen: 'No program found to open a browser. Open the address yourself.',
  badPort: 'It must be a port from 0 to 65535 (0: any free one).',
  /** By code: what to do. */
  hints: {
    NOT_LOGGED_IN: 'Open the address that the terminal shows. Press Enter there for a new one.',
    WRONG_CODE: 'A code works once, for 10 minutes. Press Enter in the terminal for a new one.',
    WRONG_ORIGIN: 'Open the address that the terminal shows.',
    CROSS_SITE: 'Paste the address into the address bar of the browser.',
    READ_ONLY: 'Ask for an address with full rights.',
    WRONG_HOST: 'Use 127.0.0.1 or localhost in the address.',
    TOO_MANY_WRONG_CODES: 'Wait a minute, or use the newest code; the right one still works.',
  },
};

/** Sentences of the errors of `huddle web`, by code. */
export const webErrorText = {
  INVALID_REQUEST: ({ detail }: { detail?: string }) =>
    `The request is not valid.${detail === undefined ? '' : ` (${detail})`}`,
  NOT_LOGGED_IN: (_: object) => 'This browser is not let in.',
  WRONG_CODE: (_: object) => 'Wrong code.',
  WRONG_ORIGIN: (_: object) => 'The request comes from another page.',
  CROSS_SITE: (_: object) => 'The request comes from another site.',
  READ_ONLY: (_: object) => 'This browser may only watch.',
  NOT_FOUND: (_: object) => 'Nothing here.',
  METHOD_NOT_ALLOWED: (_: object) => 'The method is not allowed here.',
  REQUEST_TIMEOUT: (_: object) => 'The request took too long.',
  BODY_TOO_LARGE: (_: object) => 'The request is too large. Nothing was changed.',
  NOT_JSON: (_: object) => 'Changes are sent as application/json.',
  WRONG_HOST: (_: object) => 'The request names another host.',
  TOO_MANY_WRONG_CODES: (_: object) => 'Too many wrong codes in a minute.',
  HEADERS_TOO_LARGE: (_: object) => 'The headers are larger than 16 KB.',
  PORT_IN_USE: ({ port }: { port: number }) =>
    `Port ${port} is in use. Stop the program that uses it, or choose another port with --port.`,
  PAGE_MISSING: ({ folder }: { folder: string }) =>
    `The page is not in ${folder}. Install Huddle again; in a clone, run npm run build.`,
  RELOAD: (_: object) => 'The page is too far behind this session. Reload it.',
  TOO_MANY_STREAMS: ({ most }: { most: number }) =>
    `Too many pages are open: at most ${most}. Close some of them.`,
  OTHER_FOLDER: ({ id, command }: { id: string; command: string }) =>
    `Session ${id} is of another folder. It can only be read here. To continue it: ${command}`,
  NO_DEMO: (_: object) => 'The demo is not available here.',
};
