/** Receiver of notes for developers. A missing level costs nothing: its text is never made. */
export interface Logger {
  debug?(message: string): void;
  info?(message: string): void;
  warn?(message: string): void;
  error?(message: string): void;
}

/** Says only what must not be missed. `console` is looked up at the call, so that it can be replaced. */
export const defaultLogger: Logger = {
  warn: (message) => console.warn(message),
  error: (message) => console.error(message),
};
