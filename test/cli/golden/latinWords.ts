/** What may stand in Latin letters on a Chinese screen: commands, options and fields, as they are typed. */
const TYPED = [
  /\b(?:error|warning)(?:\[[A-Z_]+\])?:/gu,
  /`[^`]*`/gu,
  // A command to copy, up to the next Chinese text; what is quoted in it is an example.
  /\b(?:huddle|npm|git|source|chmod)\b[ -~]*/gu,
  /(?<![\w-])--?[a-z][\w-]*(?:[ =]<[\w-]+>)?/gu,
  /\[[A-Z_]+(?:: ?[\w, -]*)?\]/gu,
  /<[^<>\n]*>/gu,
  /\[(?:options|command|message|id|session|file|folder|key|turn|what|words\.\.\.)\]/gu,
  // Names of changes, as they are typed.
  /\b4\.\.7、new、all\b/gu,
  /"[^"\n]*"/gu,
  /(?:\/|~|\.\/)[\w./~-]+/gu,
  /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/gu,
  /\b(?:turn|msg|wiki)-\d+\b/gu,
  /\b(?:limits|context)\.\w+/gu,
  /\b[\w-]+\.(?:jsonc?l?|json|md|html|txt|sqlite|ts)\b/gu,
  /@[\w-]+/gu,
  /\b[0-9a-f]{8,}\b/gu,
  // Ages, models, variables of a shell and what is to be filled in.
  /\b\d+[hdw]\b|\bmax=opus\b|^ *answer=\$\(.*$/gmu,
];

/** Names, and words that Chinese developers write in Latin letters. */
const NAMES = new Set(
  [
    'Huddle Node SQLite Postgres Claude Code Codex Gemini CLI CLIs ACP MCP JSON HTML Markdown UTF PATH DEBUG TMPDIR SIGKILL',
    'Agent Client Protocol HTTP UTC CI ENOENT Bash Command Enter Esc Shift Tab Up Down Ctrl FILE TEXT DIR ID',
    'token schema shell cookie diff bug id linux sha stderr tokens prices credentials',
    'bash zsh fish powershell text json stream jsonl markdown en zh CN',
    'compinit answer opus not there',
    'council pair review debate contest judge alpha beta gamma architect engineer critic navigator driver author reviewer',
    'kim max sarah tests missing you team root acme',
    'read edit full inherit minimal human command acp codex gemini claude node',
    'message conversation start type',
    's m h d k M KB MB GB N Ns y n c h V p C D',
  ].flatMap((line) => line.split(' ')),
);

/** The Latin words of a Chinese screen that are neither typed nor names. */
export function latinWords(screen: string): readonly string[] {
  const rest = TYPED.reduce((text, pattern) => text.replaceAll(pattern, ' '), screen);
  const words = rest.match(/[A-Za-z][A-Za-z'-]*[A-Za-z]|[A-Za-z]/gu) ?? [];
  return [...new Set(words.flatMap((word) => word.split('-')))].filter((word) => !NAMES.has(word));
}
