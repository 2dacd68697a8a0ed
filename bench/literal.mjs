// The context turn and the marker stripping exactly as the design documents write them, as a yardstick.

const FROM_PATTERN = /\[FROM:[^\]]+\]/gi;
const NEXT_PATTERN = /\[NEXT:[^\]]*\]/gi;
const TEAM_TASK_PATTERN = /\[TEAM_TASK\][\s\S]*?(?=\[|$)/gi;

export function stripLiterally(message) {
  return message
    .replace(FROM_PATTERN, '')
    .replace(TEAM_TASK_PATTERN, '')
    .replace(NEXT_PATTERN, '')
    .split('\n')
    .map((line) => line.replace(/\s{2,}/g, ' ').trim())
    .filter((line) => line.length > 0)
    .join('\n')
    .trim();
}

/** Strip every message of the window, join, measure; while too large drop the oldest and render again. */
export function promptLiterally(messages, windowSize, maxBytes) {
  const lines = messages
    .slice(0, -1)
    .slice(-windowSize)
    .map(
      ({ speaker, routing, content }) =>
        `- ${speaker.roleName} -> ${routing?.resolvedAddressees?.join(', ') ?? 'all'}: ${stripLiterally(content)}`,
    );
  const message = `[MESSAGE]\n${stripLiterally(messages.at(-1).content)}`;
  let prompt = `[CONTEXT]\n${lines.join('\n')}\n\n${message}`;
  while (Buffer.byteLength(prompt, 'utf8') > maxBytes && lines.length > 0) {
    lines.shift();
    prompt = lines.length > 0 ? `[CONTEXT]\n${lines.join('\n')}\n\n${message}` : message;
  }
  return Buffer.from(prompt);
}
