// W3: reading a stream of JSON lines over parsing lines that somebody has split already.
import { JsonLines } from '../dist/utils/jsonLines.js';
import { compare, goal, growthExponent, table, time } from './measure.mjs';

const CHUNK_BYTES = 64 * 1024;
const STREAM_BYTES = 8_000_000;
const LINE_BYTES = [2048, 16_384];
const words = {
  ascii: 'The quick brown fox jumps. ',
  cjk: '我们先看一下现有的代码再说。',
  emoji: '🚀 done ✅ 好的 ',
};

export function jsonLines() {
  console.log('\nW3 JSON lines: bytes in chunks of 64 KB → records, CPU time\n');
  const rows = [['lines of', 'ms/MB', 'parse of ready lines', 'decode once + parse']];
  let ascii = 0;
  let wide = 0;
  for (const [script, word] of Object.entries(words)) {
    for (const lineBytes of LINE_BYTES) {
      const stream = createStream(word, lineBytes);
      const text = stream.toString();
      const readyLines = text.split('\n').filter((line) => line !== '');
      const { ours, ready, decode } = compare(
        {
          ours: () => readStream(stream),
          ready: () => countRecords(readyLines),
          decode: () => countRecords(stream.toString().split('\n')),
        },
        { rounds: 15, roundMilliseconds: 60 },
      );
      rows.push([
        `${lineBytes} B, ${script}`,
        (ours / 1000 / (stream.length / 1e6)).toFixed(2),
        `${(ours / ready).toFixed(2)}x`,
        `${(ours / decode).toFixed(2)}x`,
      ]);
      if (script === 'ascii') ascii = Math.max(ascii, ours / ready);
      else wide = Math.max(wide, ours / decode);
    }
  }
  table(rows);
  console.log();
  goal('W3 ASCII over parsing ready-split lines', ascii, 1.5, 'x');
  goal('W3 CJK and emoji over decoding once and parsing', wide, 0.6, 'x');
  const points = [2, 8, 32].map((megabytes) => [
    megabytes,
    time(() => readStream(oneLine(megabytes)), { rounds: 3, roundMilliseconds: 1 }),
  ]);
  console.log(`       one line of 32 MB: ${(points[2][1] / 1000).toFixed(0)} ms`);
  goal('W3 growth exponent of one long line, 2 to 32 MB', growthExponent(points), 1.15);
}

function countRecords(lines) {
  let records = 0;
  for (const line of lines) {
    if (line !== '' && typeof JSON.parse(line) === 'object') records++;
  }
  return records;
}

function createStream(word, lineBytes) {
  const text = word.repeat(Math.ceil(lineBytes / Buffer.byteLength(word)));
  const line = Buffer.from(`${JSON.stringify({ type: 'message', role: 'assistant', content: text })}\n`);
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
