// A log of a long conversation, as `huddle import` takes it: every second message is an agent's, some with tools and code.

const CODE = '\n\n```ts\nconst total = list.reduce((sum, each) => sum + each, 0);\nexport { total };\n```\n';
const MEMBERS = [
  { id: 'kim', name: 'kim', type: 'human' },
  { id: 'ann', name: 'ann', type: 'ai', agentType: 'acp', permission: 'edit' },
];

const PROFILE = {
  agentName: 'ann',
  agentType: 'acp',
  systemInstruction: 'You are ann.',
  memory: 'window',
  window: 20,
  visibility: 'all',
  guard: 'on',
  memberNames: ['kim', 'ann'],
  maxBytes: 786_432,
};

/** Lines of JSON with so many messages. `needle` stands in the message with that number. */
export function* writeLongLog(messages, { needle, place = 0 } = {}) {
  const start = Date.UTC(2026, 10, 1);
  let seq = 0;
  const line = (fact) => `${JSON.stringify({ v: 1, seq: ++seq, at: start + seq * 1000, ...fact })}\n`;
  yield line({
    type: 'conversation-start',
    conversationId: '20261101-0000-1234',
    isRehearsal: false,
    team: { name: 'uploads', members: MEMBERS },
  });
  yield line({ type: 'profile-changed', memberId: 'ann', profile: PROFILE, sha256: '', systemSha256: '' });
  for (let number = 1; number <= messages; number++) {
    const isAgent = number % 2 === 0;
    const turnId = `turn-${number / 2}`;
    const memberId = 'ann';
    const id = `msg-${number}`;
    const words = `Message ${number}. ${'Some words of an answer that is neither short nor long. '.repeat((number % 9) + 1)}`;
    const content = `${words}${number % 10 === 0 ? CODE : ''}${number === place ? ` ${needle}` : ''}`;
    const speaker = isAgent
      ? { roleId: 'ann', roleName: 'ann', type: 'ai' }
      : { roleId: 'kim', roleName: 'kim', type: 'human' };
    if (isAgent) {
      const triggeredBy = `msg-${number - 1}`;
      const turns = [{ turnId, memberId, triggeredBy }];
      const prompt = { bytes: 100, sha256: '', latestMessageId: triggeredBy, session: 'new' };
      yield line({ type: 'turns-queued', turns, place: 'back' });
      yield line({ type: 'turn-start', turnId, memberId, triggeredBy, prompt });
      const usage = {
        inputTokens: 1000,
        cachedInputTokens: 0,
        outputTokens: 100,
        usd: 0.01,
        price: 'reported',
      };
      const result = { kind: 'completed', messageId: id };
      yield line({ type: 'turn-end', turnId, memberId, result, milliseconds: 1200, usage });
    }
    const message = { id, content, timestamp: start, speaker };
    yield line({ type: 'message-added', message, ...(isAgent && { turnId }) });
  }
}
