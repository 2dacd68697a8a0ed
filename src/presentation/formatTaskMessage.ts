/**
 * The message by which a person sets the team task and nothing else: it names the speaker as the one to reply, so that no agent is
 * asked, whoever is named in the task.
 */
export function formatTaskMessage(task: string, speaker: string | undefined): string {
  const marker = speaker === undefined ? '' : `[NEXT: ${speaker}] `;
  return `${marker}[TEAM_TASK] ${task}`;
}
