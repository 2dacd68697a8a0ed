// W3: reading a stream of JSON lines over parsing lines that somebody has split already.
import { JsonLines } from '../compiled/utils/jsonLines.js';
import { compare, costsBySize, geometricMean, goal, growthExponent, table } from './measure.mjs';

const CHUNK_BYTES = 64 * 1024;
const STREAM_BYTES = 8_000_000;
const LINE_BYTES = [2048, 16_384, 65_536];
const words = {
  ascii: 'The quick brown fox jumps. ',
  cjk: '我们先看一下现有的代码再说。',
  emoji: '🚀 done ✅ 好的 ',
};

/** What a record of an agent is made of: `mixed` is half text and half structure, as a tool result with its places. */
const kinds = {
  text: (word, bytes) => ({ type: 'message', role: 'assistant', content: fill(word, bytes) }),
  mixed: (word, bytes) => ({
    type: 'tool_result',
    id: 'toolu_01',
    places: createPlaces(bytes / 2),
    content: fill(word, bytes / 2),
  }),
};

export function jsonLines() {
  console.log('\nW3 JSON lines: bytes in chunks of 64 KB → records, CPU time\n');
  const rows = [['lines of', 'ms/MB', 'parse of ready lines', 'decode once + parse']];
  const overReadyLines = [];
  const overDecoding = [];
  for (const [kind, create] of Object.entries(kinds)) {
    for (const [script, word] of Object.entries(words)) {
      for (const lineBytes of LINE_BYTES) {
        const stream = createStream(create(word, lineBytes));
        const readyLines = stream.toString().split('\n');
        const { ours, ready, decode } = compare(
          {
            ours: () => readStream(stream),
            ready: () => countRecords(readyLines),
            decode: () => countRecords(stream.toString().split('\n')),
          },
          { rounds: 9, roundMilliseconds: 40 },
        );
        const perMegabyte = ours / 1000 / (stream.length / 1e6);
        rows.push([
          `${lineBytes} B, ${kind}, ${script}`,
          perMegabyte.toFixed(2),
          `${(ours / ready).toFixed(2)}x`,
          `${(ours / decode).toFixed(2)}x`,
        ]);
        if (script === 'ascii') overReadyLines.push(ours / ready);
        else overDecoding.push(ours / decode);
      }
    }
  }
  table(rows);
  console.log();
  goal('W3 ASCII over parsing ready-split lines, mean', geometricMean(overReadyLines), 1.5, 'x');
  goal('W3 CJK and emoji over decoding once and parsing, mean', geometricMean(overDecoding), 0.6, 'x');
  const points = costsBySize([2, 8, 32], (megabytes) => () => readStream(oneLine(megabytes)), {
    rounds: 11,
    roundMilliseconds: 20,
  });
  console.log(`       one line of 32 MB: ${(points[2][1] / 1000).toFixed(0)} ms`);
  goal('W3 growth exponent of one long line, 2 to 32 MB', growthExponent(points), 1.15);
}

function fill(word, bytes) {
  return word.repeat(Math.ceil(bytes / Buffer.byteLength(word)));
}

function createPlaces(bytes) {
  const place = { path: 'src/context/ContextManager.ts', line: 42, kind: 'match' };
  return Array.from({ length: Math.ceil(bytes / JSON.stringify(place).length) }, () => place);
}

function countRecords(lines) {
  let records = 0;
  for (const line of lines) {
    if (line !== '' && typeof JSON.parse(line) === 'object') records++;
  }
  return records;
}

function createStream(record) {
  const line = Buffer.from(`${JSON.stringify(record)}\n`);
  return Buffer.concat(Array.from({ length: Math.ceil(STREAM_BYTES / line.length) }, () => line));
}

const longLines = new Map();
function oneLine(megabytes) {
  if (!longLines.has(megabytes))
    longLines.set(megabytes, Buffer.from(`${JSON.stringify({ text: 'x'.repeat(megabytes * 1e6) })}\n`));
  return longLines.get(megabytes);
}

function readStream(stream) {
  const reader = new JsonLines();
  let records = 0;
  for (let start = 0; start < stream.length; start += CHUNK_BYTES) {
    records += reader.push(stream.subarray(start, start + CHUNK_BYTES)).length;
  }
  return records + reader.end().length;
}
