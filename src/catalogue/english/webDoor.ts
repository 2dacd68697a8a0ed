import { counted } from '../counted.js';

/** Sentences of `huddle web` in the terminal, and of the requests that its server refuses. */
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
  portInUse: (port: number) =>
    `Port ${port} is in use. Stop the program that uses it, or choose another port with --port.`,
  badPort: 'It must be a port from 0 to 65535 (0: any free one).',
  pageMissing: (folder: string) =>
    `The page is not in ${folder}. Install Huddle again; in a clone, run npm run build.`,
  withDetail: (message: string, detail: string) => `${message} (${detail})`,
  refusals: {
    INVALID_REQUEST: 'The request is not valid.',
    NOT_LOGGED_IN: 'This browser is not let in.',
    WRONG_CODE: 'Wrong code.',
    WRONG_ORIGIN: 'The request comes from another page.',
    CROSS_SITE: 'The request comes from another site.',
    READ_ONLY: 'This browser may only watch.',
    NOT_FOUND: 'Nothing here.',
    METHOD_NOT_ALLOWED: 'The method is not allowed here.',
    REQUEST_TIMEOUT: 'The request took too long.',
    BODY_TOO_LARGE: 'The request is too large. Nothing was changed.',
    NOT_JSON: 'Changes are sent as application/json.',
    WRONG_HOST: 'The request names another host.',
    TOO_MANY_WRONG_CODES: 'Too many wrong codes in a minute.',
    HEADERS_TOO_LARGE: 'The headers are larger than 16 KB.',
  },
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
