import type { PlayedCassette } from '../../cassette/playCassette.js';
import { words } from '../../catalogue/words.js';
import { createStreamJsonPrinter, JsonPrinter } from '../../frontends/print/jsonPrinter.js';
import type { Printer } from '../../frontends/print/printConversation.js';
import { huddleCommand } from '../../frontends/print/sentences.js';
import { TextPrinter } from '../../frontends/print/textPrinter.js';
import { type CliContext, stopOf } from '../start/CliContext.js';
import type { RunFlags } from '../start/RunFlags.js';

export interface PrinterSettings extends Pick<RunFlags, 'outputFormat' | 'final'> {
  /** Prints the whole transcript, also without a terminal. */
  readonly isTranscript?: boolean | undefined;
  /** The conversation is saved, so that it can be continued. */
  readonly isSaved?: boolean;
  /** Differences of a cassette that was played. */
  readonly found?: Pick<PlayedCassette, 'differences' | 'notes'>;
}

/** The printer of an output format. */
export function createPrinter(
  { outputFormat, final, isTranscript, isSaved = false, found }: PrinterSettings,
  context: CliContext,
): Printer {
  switch (outputFormat) {
    case 'text': {
      const isWhole = isTranscript || context.stdout.isTTY;
      return new TextPrinter({
        words,
        streams: context,
        env: context.env,
        colours: context.settings.colours,
        command: isSaved ? huddleCommand() : undefined,
        answers: final ? 'last' : isWhole ? undefined : 'all',
        record: found && { kind: 'played' },
        isRead: () => stopOf(context)?.isOutputGone !== true,
      });
    }
    case 'json':
      return new JsonPrinter(context, found);
    case 'stream-json':
      return createStreamJsonPrinter(context, found && { type: 'cassette-played', ...found });
  }
}
