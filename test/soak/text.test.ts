import { describe, it } from 'vitest';
import { scanMarkers, stripMarkers } from '../../src/markers/markers.js';
import { sanitizeForTerminal } from '../../src/utils/sanitize.js';
import { expectWithin, inQuiet } from './inQuiet.js';
import { isFull } from './isFull.js';

const MEGABYTE = 1024 * 1024;
const [ROUTED_BYTES, ROUTING_MILLISECONDS] = [2 * MEGABYTE, 200];
const [SHOWN_BYTES, SHOWING_MILLISECONDS] = [10 * MEGABYTE, 150];
/** The first times pay for compiling; how fast the program is shows afterwards. */
const RUNS = 5;

/** What is repeated until it fills a message, each to make some part of the reader look again and again. */
const ROUTED: Readonly<Record<string, string>> = {
  'markers that never end': '[NEXT:',
  markers: '[NEXT: a]',
  tasks: '[TEAM_TASK]',
  'tasks that never end': '[TEAM_TASK:',
  brackets: '[',
  'markers behind backslashes': '\\[NEXT: a]',
  'lists in lists': '- ',
  'numbered lists in lists': '1. ',
  quotes: '> ',
  fences: '```\n',
  'indented code': '    [NEXT: a]\n',
  'code spans that never end': '` `` ``` [NEXT: a] ',
  'comments that never end': '<!--',
  'comments that nearly end': '<!-- [NEXT: a] --',
};
const SHOWN: Readonly<Record<string, string>> = {
  'plain words': 'Plain words. ',
  'clipboard writes': '\x1b]52;c;QQ==\x07',
  'words that begin with a C1 sequence': '\u009b31mwords ',
  'words that begin with a bidirectional override': '\u202ewords ',
  'emoji and Chinese': '😀 中文 ',
};

describe.runIf(isFull)('text of somebody who wants to hold Huddle up', () => {
  it.for(Object.entries(ROUTED))('is routed in time: 2 MB of %s', async ([name, part], context) => {
    const text = fill(part, ROUTED_BYTES);
    const measured = await time(() => [scanMarkers(text), stripMarkers(text)]);
    console.info(`2 MB of ${name}: read and stripped in ${measured.value.toFixed(0)} ms`);
    expectWithin(ROUTING_MILLISECONDS, measured, context);
  });

  it.for(Object.entries(SHOWN))('is made harmless in time: 10 MB of %s', async ([name, part], context) => {
    const text = fill(part, SHOWN_BYTES);
    const measured = await time(() => sanitizeForTerminal(text));
    console.info(`10 MB of ${name}: sanitised in ${measured.value.toFixed(0)} ms`);
    expectWithin(SHOWING_MILLISECONDS, measured, context);
  });
});

function fill(part: string, bytes: number): string {
  return part.repeat(Math.ceil(bytes / Buffer.byteLength(part)));
}

/** The fastest of several runs. */
function time(work: () => unknown) {
  return inQuiet(async () => {
    const times = Array.from({ length: RUNS }, () => {
      const began = performance.now();
      work();
      return performance.now() - began;
    });
    return Math.min(...times);
  }, 3);
}
