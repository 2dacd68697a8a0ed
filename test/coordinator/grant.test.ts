import { describe, expect, onTestFinished, test } from 'vitest';
import { ConversationStarter } from '../../src/coordinator/ConversationStarter.js';
import type { ConversationFact } from '../../src/models/ConversationEvent.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import type { Claim, ConversationLog, Store } from '../../src/store/Store.js';
import { agentNamed, agentsThat, factsOf, hangs, says, teamOf } from '../store/stage.js';

const team = teamOf([agentNamed('max')]);

/** A store that notes with which facts each wish was taken. */
function storeOfWishes(): { readonly store: Store; readonly taken: [number | undefined, string[]][] } {
  const store = new MemoryStore();
  const taken: [number | undefined, string[]][] = [];
  const note = (log: ConversationLog): ConversationLog => {
    const append = log.append.bind(log);
    log.append = (facts: readonly ConversationFact[], claim?: Claim) => {
      if (claim !== undefined) taken.push([claim.command, facts.map(({ type }) => type)]);
      return append(facts);
    };
    return log;
  };
  const create = store.create.bind(store);
  store.create = async (...parts) => note(await create(...parts));
  return { store, taken };
}

async function start(play = () => says('Done.')) {
  const { store, taken } = storeOfWishes();
  const options = { team, store, agents: agentsThat(play), interactive: true };
  const conversation = await new ConversationStarter().start(options);
  onTestFinished(() => conversation.close());
  return { conversation, taken };
}

describe('a verb that is called for a role', () => {
  test('signs the message of the person, and takes the wish with it and all that follows', async () => {
    const { conversation, taken } = await start();
    const acted = conversation.actFor({ by: 'kim_l', claim: { command: 7 } }, () =>
      conversation.send('[NEXT: max] Go.'),
    );
    expect(acted.isTaken).toBe(true);
    expect(await acted.result).toMatchObject({ id: 'msg-1' });
    await conversation.settled();
    expect(taken).toEqual([[7, ['message-added', 'turns-queued']]]);
    const said = await factsOf(conversation, 'message-added');
    expect(said.map(({ by }) => by)).toEqual(['kim_l', undefined]);
  });

  test('leaves the wish untaken when there is nothing to record', async () => {
    const { conversation, taken } = await start();
    const acted = conversation.actFor({ by: 'kim', claim: { command: 8 } }, () => conversation.resume());
    await acted.result;
    expect({ ...acted, taken }).toMatchObject({ isTaken: false, taken: [] });
    await conversation.send('[NEXT: max] Go.');
    await conversation.settled();
    expect(taken).toEqual([]);
    expect((await factsOf(conversation, 'message-added'))[0]).not.toHaveProperty('by');
  });

  test('leaves the wish untaken when it is refused', async () => {
    const { conversation, taken } = await start();
    const acted = conversation.actFor({ by: 'kim', claim: { command: 9 } }, () => conversation.send(' '));
    await expect(acted.result).rejects.toMatchObject({ code: 'EMPTY_MESSAGE' });
    expect({ ...acted, taken }).toMatchObject({ isTaken: false, taken: [] });
  });

  test('takes the wish once, whatever listeners and stopped turns record meanwhile', async () => {
    const { conversation, taken } = await start(hangs as () => ReturnType<typeof says>);
    await conversation.send('[NEXT: max] Go.');
    const heard: string[] = [];
    conversation.subscribe((event) => {
      heard.push(event.type);
      if (event.type === 'conversation-pause') void conversation.rename('Stopped');
    });
    const acted = conversation.actFor({ by: 'kim', claim: { command: 10 } }, () => conversation.cancel());
    await acted.result;
    await conversation.settled();
    expect(taken).toEqual([[10, ['conversation-pause']]]);
    expect(heard).toContain('title-changed');
  });
});
