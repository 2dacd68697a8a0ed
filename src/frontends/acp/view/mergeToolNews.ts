import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';

/** Two states of the same thing as one: news of a tool call go into its card, anything else is replaced. */
export function mergeToolNews(before: SessionUpdate, news: SessionUpdate): SessionUpdate {
  if (news.sessionUpdate !== 'tool_call_update') return news;
  return { ...before, ...news, sessionUpdate: before.sessionUpdate } as SessionUpdate;
}
