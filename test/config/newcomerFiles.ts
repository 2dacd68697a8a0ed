/** A team file as a newcomer writes it, and what is said about it. Members are put between a person and the end. */
export type NewcomerFile = readonly [title: string, text: string, ...lines: string[]];

const member = (fields: string): string =>
  `{ "version": 1, "members": [{ "name": "you", "type": "human" },\n{ "name": "max", ${fields} }] }`;
const agent = (fields: string): string => member(`"type": "ai", ${fields}`);
const team = (fields: string): string =>
  `{ "version": 1,\n${fields},\n"members": [{ "name": "you", "type": "human" }, { "name": "max", "type": "ai", "agentType": "claude" }] }`;

const TYPES = '"claude", "codex", "gemini", "opencode", "qwen", "copilot", "acp", "command"';

export const NEWCOMER_FILES: readonly NewcomerFile[] = [
  // Not JSON
  ['an empty file', '', '1:1 the file is empty. Create a team file with: huddle init --force [SYNTAX]'],
  [
    'a file of comments',
    '// later\n',
    '2:1 the file is empty. Create a team file with: huddle init --force [SYNTAX]',
  ],
  [
    'YAML',
    '# team\nversion: 1\nmembers:\n  - name: max\n',
    '2:1 this looks like YAML; a team file is JSON: { "version": 1, "members": [ … ] } [SYNTAX]',
  ],
  [
    'TOML',
    'version = 1\n[[members]]\nname = "max"\n',
    '1:1 this is not JSON; a team file is one object: { "version": 1, "members": [ … ] } [SYNTAX]',
  ],
  [
    'JavaScript',
    'export default { version: 1 }',
    '1:1 this is not JSON; a team file is one object: { "version": 1, "members": [ … ] } [SYNTAX]',
  ],
  [
    'names without quotes',
    '{\n  version: 1,\n  members: []\n}',
    '2:3 put the field name in double quotes: "version" [SYNTAX]',
    '3:3 put the field name in double quotes: "members" [SYNTAX]',
  ],
  ['single quotes', "{ 'version': 1 }", `1:3 use double quotes: "version" instead of 'version' [SYNTAX]`],
  [
    'curly quotes',
    '{ “version”: 1 }',
    '1:3 use straight double quotes: "version" instead of “version” [SYNTAX]',
  ],
  ['a shell comment', '{\n# mine\n"version": 1 }', '2:1 comments start with //, not with # [SYNTAX]'],
  [
    'a missing comma',
    '{ "version": 1, "members": [{ "name": "you", "type": "human" } { "name": "max" }] }',
    '1:64 expected a comma before "{" [SYNTAX]',
  ],
  [
    'an empty name after a missing comma',
    '{ "task": "a" "": 1 }',
    '1:15 expected a comma before "" [SYNTAX]',
  ],
  ['a missing colon', '{ "version" 1 }', '1:13 expected a colon before "1" [SYNTAX]'],
  ['half a file', '{ "version": 1,\n', '2:1 the file ends too early: "}" is missing [SYNTAX]'],
  ['half a list', '{ "members": [', '1:15 the file ends too early: "]" is missing [SYNTAX]'],
  [
    'two objects',
    '{}\n{}',
    '2:1 unexpected "{" after the end of the team; a team file is one object [SYNTAX]',
  ],
  ['a bracket too many', '{ "members": []] }', '1:16 unexpected "]": no bracket opens it [SYNTAX]'],
  ['values of Python', '{ "version": None }', '1:14 unexpected None; put text in double quotes [SYNTAX]'],
  ['a path of Windows', '{ "task": "see C:\\dir" }', '1:11 write a backslash in text twice: \\\\ [SYNTAX]'],
  ['an open text', '{ "task": "see\n}', '1:11 the closing double quote is missing [SYNTAX]'],
  [
    'a list',
    '[{ "name": "max" }]',
    '1:1 the file must be an object, not a list; start with { "version": 1, "members": [ … ] } [WRONG_TYPE]',
  ],
  [
    'a text',
    '"team"',
    '1:1 the file must be an object, not "team"; start with { "version": 1, "members": [ … ] } [WRONG_TYPE]',
  ],

  // The whole file
  [
    'agents',
    '{ "version": 1, "agents": [] }',
    '1:1 `members` is missing [MISSING_FIELD]',
    '1:17 unknown field "agents"; use "members" [UNKNOWN_FIELD]',
  ],
  [
    'no version',
    '{ "members": [] }',
    '1:1 `version` is missing; add "version": 1 [MISSING_FIELD]',
    '1:14 `members` is empty; add an agent and a person [NO_MEMBERS]',
  ],
  [
    'a version as text',
    '{ "version": "1", "members": [{ "name": "max", "type": "ai", "agentType": "claude" }] }',
    '1:14 `version` must be 1, not "1"; remove the quotes [UNKNOWN_VALUE]',
  ],
  ['turns', team('"turns": 5'), '2:1 unknown field "turns"; use "limits.agentTurns" [UNKNOWN_FIELD]'],
  [
    'max_turns',
    team('"max_turns": 5'),
    '2:1 unknown field "max_turns"; use "limits.agentTurns" [UNKNOWN_FIELD]',
  ],
  [
    'a limit outside of limits',
    team('"usd": 5'),
    '2:1 unknown field "usd"; use "limits.usd" [UNKNOWN_FIELD]',
  ],
  [
    'a model for all',
    team('"model": "opus"'),
    '2:1 only agents have the field "model"; move it into a member [UNKNOWN_FIELD]',
  ],
  ['a goal', team('"goal": "Ship it"'), '2:1 unknown field "goal"; use "task" [UNKNOWN_FIELD]'],
  [
    'a limit as text',
    team('"limits": { "agentTurns": "5", "budget": 3 }'),
    '2:27 `limits.agentTurns` must be a number, not "5"; remove the quotes [WRONG_TYPE]',
    '2:32 unknown field "limits.budget"; use "limits.usd" [UNKNOWN_FIELD]',
  ],
  [
    'members by name',
    '{ "version": 1, "members": { "max": { "agentType": "claude" } } }',
    '1:28 `members` must be a list, not an object; write [{ "name": "max", … }] [WRONG_TYPE]',
  ],
  [
    'names of programs as members',
    '{ "version": 1, "members": ["claude", "kim"] }',
    '1:29 members[0] must be an object, not "claude"; write { "name": "claude", "type": "ai", "agentType": "claude" } [WRONG_TYPE]',
    '1:39 members[1] must be an object, not "kim" [WRONG_TYPE]',
  ],

  // Members
  [
    'systemPrompt',
    agent('"agentType": "claude", "systemPrompt": "Be kind."'),
    '2:55 members[1] "max": unknown field "systemPrompt"; use "systemInstruction" [UNKNOWN_FIELD]',
  ],
  [
    'agent_type',
    agent('"agent_type": "claude"'),
    `2:1 members[1] "max": \`agentType\` is missing; choose one of ${TYPES} [MISSING_FIELD]`,
    '2:32 members[1] "max": unknown field "agent_type"; use "agentType" [UNKNOWN_FIELD]',
  ],
  [
    'a role',
    agent('"agentType": "claude", "role": "Architect"'),
    '2:55 members[1] "max": unknown field "role"; use "title" [UNKNOWN_FIELD]',
  ],
  [
    'no type',
    member('"agentType": "claude"'),
    '2:1 members[1] "max": `type` is missing; choose one of "human", "ai" [MISSING_FIELD]',
  ],
  [
    'a program as type',
    member('"type": "claude"'),
    '2:26 members[1] "max": `type` must be one of "human", "ai", not "claude"; write { "type": "ai", "agentType": "claude" } [UNKNOWN_VALUE]',
  ],
  [
    'a bot',
    member('"type": "bot", "agentType": "claude"'),
    '2:26 members[1] "max": `type` must be one of "human", "ai", not "bot"; use "ai" [UNKNOWN_VALUE]',
  ],
  [
    'a slip in the agent type',
    agent('"agentType": "claud"'),
    `2:45 members[1] "max": \`agentType\` must be one of ${TYPES}, not "claud"; did you mean "claude"? [UNKNOWN_VALUE]`,
  ],
  [
    'a model as agent type',
    agent('"agentType": "gpt-5"'),
    `2:45 members[1] "max": \`agentType\` must be one of ${TYPES}, not "gpt-5"; write { "agentType": "codex", "model": "gpt-5" } [UNKNOWN_VALUE]`,
  ],
  [
    'a vendor as agent type',
    agent('"agentType": "openai"'),
    `2:45 members[1] "max": \`agentType\` must be one of ${TYPES}, not "openai"; use "codex" [UNKNOWN_VALUE]`,
  ],
  ...(
    [
      ['write', 'edit'],
      ['readonly', 'read'],
      ['read-only', 'read'],
      ['all', 'full'],
      ['yolo', 'full'],
      ['acceptEdits', 'edit'],
      ['bypassPermissions', 'full'],
    ] as const
  ).map(
    ([written, meant]): NewcomerFile => [
      `the permission ${written}`,
      agent(`"agentType": "claude", "permission": "${written}"`),
      `2:69 members[1] "max": \`permission\` must be one of "read", "edit", "full", not "${written}"; use "${meant}" [UNKNOWN_VALUE]`,
    ],
  ),
  [
    'a command line',
    agent('"agentType": "command", "command": "npm test"'),
    '2:67 members[1] "max": `command` must be a list of words, not "npm test"; write ["npm", "test"] [WRONG_TYPE]',
  ],
  [
    'a command of a shell',
    agent('"agentType": "command", "command": "npm test | tail"'),
    '2:67 members[1] "max": `command` must be a list of words, not "npm test | tail"; write ["sh", "-c", "npm test | tail"] [WRONG_TYPE]',
  ],
  [
    'one allowed tool',
    agent('"agentType": "claude", "allow": "Bash(npm test)"'),
    '2:64 members[1] "max": `allow` must be a list of words, not "Bash(npm test)"; write ["Bash(npm test)"] [WRONG_TYPE]',
  ],
  [
    'a command that is missing',
    agent('"agentType": "command"'),
    '2:1 members[1] "max": `command` is missing; agent type "command" has no program of its own [COMMAND_MISSING]',
  ],
  [
    'tools for Codex',
    agent('"agentType": "codex", "allow": ["Bash"]'),
    '2:63 members[1] "max": `allow` is not supported for Codex; remove it and choose a "permission" [TOOL_LIST_UNSUPPORTED]',
  ],
  [
    'a setup as a command line',
    team('"files": { "setup": "npm ci" }'),
    '2:21 `files.setup` must be a list of words, not "npm ci"; write ["npm", "ci"] [WRONG_TYPE]',
  ],
  [
    'files switched off',
    team('"files": false'),
    '2:10 `files` must be an object, not false; write { "record": false } [WRONG_TYPE]',
  ],
  [
    'words of other tools about files',
    team(
      '"files": { "enabled": true, "diff": true, "tell": "none", "blind": "worktrees", "readers": "stop" }',
    ),
    '2:12 unknown field "files.enabled"; use "files.record" [UNKNOWN_FIELD]',
    '2:29 unknown field "files.diff"; use "files.tell" [UNKNOWN_FIELD]',
    '2:51 `files.tell` must be one of "names", "diff", "nothing", not "none"; use "nothing" [UNKNOWN_VALUE]',
    '2:68 `files.blind` must be one of "copies", "shared", not "worktrees"; use "copies" [UNKNOWN_VALUE]',
    '2:92 `files.readers` must be one of "report", "pause", not "stop"; use "pause" [UNKNOWN_VALUE]',
  ],
  [
    'recording outside of files',
    team('"record": false'),
    '2:1 unknown field "record"; use "files.record" [UNKNOWN_FIELD]',
  ],
  [
    'a worktree for a member',
    agent('"agentType": "claude", "worktree": true'),
    '2:55 members[1] "max": unknown field "worktree"; use "workspace" [UNKNOWN_FIELD]',
  ],
  [
    'a workspace of its own',
    agent('"agentType": "claude", "workspace": "worktree"'),
    '2:68 members[1] "max": `workspace` must be one of "shared", "copy", not "worktree"; use "copy" [UNKNOWN_VALUE]',
  ],
  [
    'an agent as a check',
    agent('"agentType": "codex", "check": true'),
    '2:63 members[1] "max": `check` is only for agent type "command", whose exit code tells whether it passed; remove it [CHECK_UNSUPPORTED]',
  ],
  [
    'the command of the tests as a check',
    agent('"agentType": "command", "check": "npm test"'),
    '2:1 members[1] "max": `command` is missing; agent type "command" has no program of its own [COMMAND_MISSING]',
    '2:65 members[1] "max": `check` must be true or false, not "npm test"; write { "command": ["npm", "test"], "check": true } [WRONG_TYPE]',
  ],
  [
    'a check in quotes',
    agent('"agentType": "command", "command": ["npm", "test"], "check": "true"'),
    '2:93 members[1] "max": `check` must be true or false, not "true"; remove the quotes [WRONG_TYPE]',
  ],
  [
    'a check and a copy without records',
    `{ "version": 1, "files": { "record": false }, "members": [{ "name": "you", "type": "human" },\n{ "name": "max", "type": "ai", "agentType": "claude", "workspace": "copy" },\n{ "name": "tests", "type": "ai", "agentType": "command", "command": ["npm", "test"], "check": true }] }`,
    '2:68 members[1] "max": `workspace` needs the record of files; remove it, or set "files.record" to true [NEEDS_RECORD]',
    '3:95 members[2] "tests": `check` needs the record of files; remove it, or set "files.record" to true [NEEDS_RECORD]',
  ],
  [
    'a field of agents for a person',
    '{ "version": 1, "members": [{ "name": "you", "type": "human", "model": "x" }, { "name": "max", "type": "ai", "agentType": "claude" }] }',
    '1:63 members[0] "you": only agents have the field "model"; move it into a member of type "ai" [UNKNOWN_FIELD]',
  ],
  [
    'a name with a space',
    '{ "version": 1, "members": [{ "name": "Max Power", "type": "ai", "agentType": "claude" }] }',
    '1:39 members[0] "Max Power": `name` must be 1 to 32 letters, digits, "-" or "_", with at least one letter or digit; use "Max-Power" [NAME_INVALID]',
  ],
  [
    'the same name twice',
    '{ "version": 1, "members": [{ "name": "max", "type": "ai", "agentType": "claude" },\n{ "name": "Max", "type": "ai", "agentType": "codex" }] }',
    '2:11 members[1] "Max": "Max" is the same name as "max" in members[0]; case, width, "-" and "_" do not matter [NAME_TAKEN]',
  ],
];
