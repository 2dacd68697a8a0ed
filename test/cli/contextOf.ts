import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { CliContext } from '../../src/cli/start/CliContext.js';
import { Project } from '../../src/cli/team/Project.js';
import type { Machine } from './runHuddle.js';

/** What the commands of the program may touch on a machine of a test, for parts of it that run in the process of the test. */
export function contextOf({ env, folder, project }: Machine, more: Partial<CliContext> = {}): CliContext {
  // None of them is a terminal, which is all that is asked of them here.
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()] as unknown as [
    CliContext['stdin'],
    CliContext['stdout'],
    CliContext['stderr'],
  ];
  return {
    ...{ stdin, stdout, stderr },
    // Members of these tests are scripts of a shell, which need its programs.
    env: { ...env, PATH: `${env.PATH}:${process.env.PATH}` },
    workingFolder: project,
    project: new Project(more.workingFolder ?? project, more.settings?.team),
    dataFolder: env.HUDDLE_HOME ?? '',
    userName: 'kim',
    homeFolder: folder,
    settings: {},
    settingsProblems: [],
    stop: new AbortController(),
    host: Object.assign(new EventEmitter(), { exit: () => undefined }) as unknown as CliContext['host'],
    ...more,
  };
}
