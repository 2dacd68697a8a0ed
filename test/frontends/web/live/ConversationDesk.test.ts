import { describe, expect, test } from 'vitest';
import { deskWith, ECHO, messageOf } from './desk.js';

describe('a conversation in the page', () => {
  test('is made, said something in, and told as it happens', async () => {
    const desk = await deskWith(() => ({ max: ECHO }));
    const id = await desk.create();
    const empty = await desk.call('show', { id });
    expect(empty).toMatchObject({ seq: expect.any(Number), running: [], summary: { requests: [], id } });
    const stream = await desk.stream({ conversation: id, after: empty.seq });
    await desk.send(id, 'Hello.');
    await stream.until(messageOf('max'));
    const log = await desk.log(id);
    expect(stream.frames[0]).toEqual({ event: 'live', data: { running: [], requests: [] } });
    expect(stream.events()).toEqual(
      log.filter(({ seq }) => seq > empty.seq).slice(0, stream.events().length),
    );
    const shown = await desk.call('show', { id });
    expect(shown.blocks.map(({ block }) => block.kind)).toEqual(['start', 'message', 'message']);
    expect(desk.errors).toEqual([]);
  });
});
