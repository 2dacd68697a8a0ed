/** Faults of an event that was not written by Huddle, or not as it is. */
export type EventFault = 'no-event' | 'only-shown' | { readonly path: string; readonly problem: string };

/** Faults of a log that was to be imported. */
export type ImportFault =
  | 'no-start'
  | 'bad-id'
  | 'record-too-large'
  | 'no-json'
  | 'file-too-large'
  | 'second-start'
  | 'number-too-large'
  | 'proto-key'
  | { readonly nesting: number }
  | { readonly found: number; readonly expected: number }
  | { readonly twice: 'message' | 'turn-start' | 'turn-end'; readonly id: string }
  | { readonly event: EventFault };

/** A fault of an event in words. */
export function eventFaultText(fault: EventFault): string {
  if (fault === 'no-event') return 'it is no event of a conversation';
  if (fault === 'only-shown') return 'what was only shown is not part of a log';
  return `${fault.path}: ${fault.problem}`;
}

const IMPORT_FAULTS = {
  'no-start': 'a conversation begins with conversation-start',
  'bad-id': 'its id is not one of letters, digits and hyphens',
  'record-too-large': 'a record has more than 64 MB',
  'no-json': 'it is not JSON',
  'file-too-large': 'the file has more than 1 GB',
  'second-start': 'the conversation starts twice',
  'number-too-large': 'it holds a number that is too large',
  'proto-key': 'it holds a "__proto__" key',
};

const TWICE = { message: 'the message', 'turn-start': 'the start of', 'turn-end': 'the end of' };

/** A fault of a line that is no event, in words. */
export function importFaultText(fault: ImportFault): string {
  if (typeof fault === 'string') return IMPORT_FAULTS[fault];
  if ('nesting' in fault) return `it is nested deeper than ${fault.nesting}`;
  if ('found' in fault) return `its number is ${fault.found}, not ${fault.expected}`;
  if ('twice' in fault) return `${TWICE[fault.twice]} ${JSON.stringify(fault.id)} is there twice`;
  return eventFaultText(fault.event);
}
