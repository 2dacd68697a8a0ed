import { fileURLToPath } from 'node:url';
import type { Dialect } from '../dialect/Dialect.js';
import type { VoiceName } from './voices.js';

/** How the stand-in is told what to play. Set by the dialect, so they reach it whatever the member's environment. */
export const REHEARSAL_VARIABLES = {
  memberName: 'HUDDLE_REHEARSAL_MEMBER',
  scriptFile: 'HUDDLE_REHEARSAL_SCRIPT_FILE',
  script: 'HUDDLE_REHEARSAL_SCRIPT',
  stateFolder: 'HUDDLE_REHEARSAL_STATE',
  next: 'HUDDLE_REHEARSAL_NEXT',
} as const;

export interface RehearsalOptions {
  /** A file with a script, see `script.ts`. */
  readonly scriptFile?: string;
  /** The script itself, for short ones. */
  readonly script?: unknown;
  /** Sessions are kept here; without it every session id is taken as known and nothing is remembered. */
  readonly stateFolder?: string;
  /** Whom to hand over to when the script does not say. */
  readonly next?: readonly string[];
}

/** The same dialect with the stand-in in the place of the program: arguments, records and exits stay those of the CLI. */
export function rehearseDialect(dialect: Dialect, voice: VoiceName, options: RehearsalOptions = {}): Dialect {
  const { inquiry: _nothingToAsk, ...played } = dialect;
  return {
    ...played,
    prepare(request) {
      const command = [process.execPath, compiledFile('standIn.js'), '--dialect', voice];
      const invocation = dialect.prepare({ ...request, command });
      return { ...invocation, env: { ...invocation.env, ...variables(request.memberName, options) } };
    },
  };
}

/** The stand-in that speaks the Agent Client Protocol: how it is started, and what it is told. */
export function acpStandIn(
  memberName: string,
  options: RehearsalOptions = {},
): { readonly command: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  return {
    command: [process.execPath, compiledFile('acpStandIn.js')],
    env: variables(memberName, options),
  };
}

/** Next to this file once compiled; tests run the sources, so they find the compiled one in `dist`. */
function compiledFile(name: string): string {
  const here = fileURLToPath(new URL(name, import.meta.url));
  return here.replace(/\/src\/(agents\/rehearsal\/[^/]+)$/, '/dist/$1');
}

function variables(memberName: string, options: RehearsalOptions): Record<string, string> {
  const wanted: Partial<Record<keyof typeof REHEARSAL_VARIABLES, string>> = {
    memberName,
    scriptFile: options.scriptFile,
    script: options.script === undefined ? undefined : JSON.stringify(options.script),
    stateFolder: options.stateFolder,
    next: options.next?.join(','),
  };
  const set: Record<string, string> = {};
  for (const [key, value] of Object.entries(wanted))
    if (value !== undefined) set[REHEARSAL_VARIABLES[key as keyof typeof REHEARSAL_VARIABLES]] = value;
  return set;
}
