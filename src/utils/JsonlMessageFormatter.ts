import { stripVTControlCharacters } from 'node:util';
import { findDefinition } from '../agents/definitions.js';
import { AnswerText } from '../agents/process/AnswerText.js';
import type { TurnUsage } from '../models/AgentEvent.js';
import type { FailureFacts } from '../models/TurnOutcome.js';
import { JsonLines } from './jsonLines.js';

/** Text and events of a recorded turn. */
export interface FormattedOutput {
  /** The answer, or as much of it as had arrived. */
  readonly text: string;
  /** Whether the agent said that its turn is complete. */
  readonly isComplete: boolean;
  readonly failure?: FailureFacts;
  readonly sessionId?: string;
  readonly usage?: TurnUsage;
  /** Lines that are no records. */
  readonly badLines: number;
}

/** Reads a whole recorded output with the parser that live turns use. An unknown agent type is read as plain text. */
export function formatJsonl(agentType: string, raw: string): FormattedOutput {
  const dialect = findDefinition(agentType)?.dialect;
  if (dialect?.output !== 'json-lines')
    return { text: stripVTControlCharacters(raw), isComplete: true, badLines: 0 };

  const lines = new JsonLines();
  const reader = dialect.createReader({});
  const answer = new AnswerText();
  let sessionId: string | undefined;
  let usage: TurnUsage | undefined;
  for (const record of [...lines.push(Buffer.from(raw)), ...lines.end()]) {
    for (const event of reader.read(record)) {
      answer.add(event);
      if (event.type === 'session') sessionId = event.sessionId;
      if (event.type === 'usage') usage = event.usage;
    }
  }
  const { verdict } = reader;
  return {
    text: stripVTControlCharacters(answer.draft),
    isComplete: verdict?.ok === true,
    ...(verdict?.ok === false && { failure: verdict.failure }),
    ...(sessionId && { sessionId }),
    ...(usage && { usage }),
    badLines: lines.badLines,
  };
}
