import { counted } from '../counted.js';
import { type ImportFault, importFaultText } from './importFaults.js';

/** Reasons why a file or a log cannot be played. */
export type CassetteFault =
  | { readonly kind: 'empty' }
  | { readonly kind: 'too-large'; readonly megabytes: number }
  | { readonly kind: 'damaged'; readonly line: number; readonly fault: ImportFault }
  | { readonly kind: 'newer'; readonly found: number; readonly known: number }
  | { readonly kind: 'older' }
  | { readonly kind: 'cut-off'; readonly turnIds: readonly string[] };

/** The facts of an error about a cassette. */
export interface InvalidCassetteFacts {
  /** Absent: its events were given. */
  readonly file?: string | undefined;
  readonly fault: CassetteFault;
}

/** The sentences of errors about cassettes. */
export const cassetteErrorText = {
  INVALID_CASSETTE: ({ file = 'The recording', fault }: InvalidCassetteFacts) =>
    `${file} cannot be played, and nothing was run: ${wordFault(fault)}`,
  CASSETTE_DIFFERS: ({ count, text }: { count: number; text: string }) =>
    `${counted(count, 'difference')} from the recording.\n${text}`,
};

function wordFault(fault: CassetteFault): string {
  switch (fault.kind) {
    case 'empty':
      return 'it has no events. Record one: huddle cassette --output FILE';
    case 'too-large':
      return `it is larger than ${fault.megabytes} MB. Record a shorter conversation.`;
    case 'damaged':
      return `line ${fault.line} is wrong: ${importFaultText(fault.fault)}. Restore the file, or record it again.`;
    case 'newer':
      return `it has version ${fault.found}; this Huddle knows versions up to ${fault.known}. Update Huddle.`;
    case 'older':
      return 'it is from before the first release of Huddle. Record it again.';
    case 'cut-off':
      return `Huddle exited during ${fault.turnIds.join(', ')}, so it is unknown how it ended. Retry it, then record again: huddle resume --retry`;
  }
}
