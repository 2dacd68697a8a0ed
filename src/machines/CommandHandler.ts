import type { DecidingConversation } from '../coordinator/Grant.js';
import { HuddleError } from '../models/errors.js';
import { isBlank } from '../utils/isBlank.js';
import type { Logger } from '../utils/logger.js';
import { decodeCommand, encodeRefusal, type HolderCommand } from './commands.js';
import { personOf } from './PresenceBoard.js';
import type { OpenCommand, SharedConversation } from './SharedConversation.js';

export interface CommandHandlerParts {
  readonly shared: Pick<SharedConversation, 'readOpen' | 'settle'>;
  readonly conversation: DecidingConversation;
  /** Kinds of commands that are done. Default: all of them. */
  readonly only?: readonly HolderCommand['kind'][] | undefined;
  readonly logger?: Logger | undefined;
}

/** Does what others ask for in a conversation that this process holds: each command once, in their order. */
export class CommandHandler {
  readonly #parts: CommandHandlerParts;
  /** Commands that are on their way to be settled, so that they are not done twice. */
  readonly #taken = new Set<number>();
  #isClosed = false;

  constructor(parts: CommandHandlerParts) {
    this.#parts = parts;
  }

  /** Takes what waits. */
  async handle(): Promise<void> {
    const open = await this.#parts.shared.readOpen();
    const numbers = new Set(open.map(({ number }) => number));
    for (const number of this.#taken) if (!numbers.has(number)) this.#taken.delete(number);
    for (const command of open) {
      if (this.#isClosed) return;
      if (this.#taken.has(command.number)) continue;
      this.#taken.add(command.number);
      this.#take(command);
    }
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Takes one command. What it records is recorded when this returns, so that the next one comes after it. */
  #take(open: OpenCommand): void {
    const { conversation, only } = this.#parts;
    const person = personOf(conversation.team, open.role);
    const command = decodeCommand(open);
    if (person === undefined) this.#refuse(open, 'stranger');
    else if (command === null) this.#refuse(open, 'unreadable');
    else if (command.kind === 'say' && isBlank(command.content)) this.#refuse(open, 'empty');
    // What was asked of a holder who is gone was about what that one did; a message stays a message.
    else if (open.isOld && command.kind !== 'say')
      void this.#settle(open.number, new HuddleError('WISH_NOT_TAKEN', {}));
    else if (only?.includes(command.kind) === false)
      void this.#settle(open.number, new HuddleError('FLEET_BUSY', {}));
    else this.#act(open, () => perform(conversation, command, person.name));
  }

  #refuse(open: OpenCommand, because: 'stranger' | 'empty' | 'unreadable'): void {
    const { role, kind: wish } = open;
    const { conversation } = this.#parts;
    this.#act(open, async () =>
      conversation.record([{ type: 'notice', code: 'wish-refused', role, wish, because }]),
    );
  }

  #act({ number, role }: OpenCommand, verb: () => Promise<unknown>): void {
    const { conversation, logger } = this.#parts;
    const { result, isTaken } = conversation.actFor({ by: role, claim: { command: number } }, verb);
    // Taken, it is settled with its events; when they are never kept, neither is that.
    if (isTaken) result.catch((error) => logger?.debug?.(`A command was lost: ${String(error)}`));
    else
      void result.then(
        () => this.#settle(number, null),
        (error) => this.#settle(number, error),
      );
  }

  async #settle(number: number, error: unknown): Promise<void> {
    try {
      await this.#parts.shared.settle(number, error === null ? null : encodeRefusal(error));
    } catch (failure) {
      // It waits for the next look, or for the next holder.
      this.#taken.delete(number);
      this.#parts.logger?.debug?.(`HolderCommand ${number} was not settled: ${String(failure)}`);
    }
  }
}

/** @param as Name of the person who asks for it. */
export async function perform(
  conversation: DecidingConversation,
  command: HolderCommand,
  as: string | undefined,
): Promise<unknown> {
  switch (command.kind) {
    case 'say':
      return conversation.send(command.content, { as, via: command.via });
    case 'cancel':
      return conversation.cancel({ drop: command.drop });
    case 'skip-look':
      return conversation.skipLook();
    case 'pause':
      return conversation.pause();
    case 'resume':
      return conversation.resume();
    case 'retry':
      return conversation.retry();
    case 'rename':
      return conversation.rename(command.title);
    case 'decide':
      return conversation.answerPermission(command.requestId, command.verdict, { as });
  }
}
