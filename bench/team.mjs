// A team for benchmarks that run whole conversations.

export function agentNamed(name, parts = {}) {
  return {
    type: 'ai',
    id: name,
    name,
    agentType: 'claude-code',
    permission: 'read',
    allow: [],
    deny: [],
    memory: 'window',
    window: 20,
    visibility: 'all',
    env: 'inherit',
    ...parts,
  };
}

export function teamOf(agents) {
  return {
    name: 'squad',
    members: [{ type: 'human', id: 'kailai', name: 'kailai' }, ...agents],
    routing: { fallback: 'human', fanout: 'sequential' },
    limits: {
      agentTurns: 20,
      pairTurns: 6,
      sameAnswer: 3,
      addressees: 8,
      queue: 50,
      parallel: 8,
      idleMinutes: 10,
      turnMinutes: 30,
    },
    prices: [],
    context: { maxBytes: 786_432, guard: 'on' },
  };
}
