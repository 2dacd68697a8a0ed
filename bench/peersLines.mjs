// W3 beside others: a stream of JSON lines in chunks of 64 KB → records.
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import ndjson from 'ndjson';
import split2 from 'split2';
import { JsonLines } from '../compiled/utils/jsonLines.js';
import { goalFaster, table, timeAsync } from './measure.mjs';

const CHUNK_BYTES = 64 * 1024;
const LINE_BYTES = 2048;
const STREAM_BYTES = 8_000_000;
const LONG_LINE_BYTES = 32_000_000;

const readers = {
  ours: readWithOurs,
  readline: readWithReadline,
  split2: (chunks) => countObjects(Readable.from(chunks).pipe(split2(JSON.parse))),
  ndjson: (chunks) => countObjects(Readable.from(chunks).pipe(ndjson.parse())),
};

export async function peersLines() {
  console.log('\nW3 beside peers: JSON lines, CPU time\n');
  const words = { ascii: 'The quick brown fox jumps. ', cjk: '我们先看一下现有的代码再说。' };
  const lines = {};
  for (const [script, word] of Object.entries(words)) lines[script] = await measureAll(linesOf(word));
  const long = await measureAll(oneLine());
  const perMegabyte = (microseconds) => `${(microseconds / 1000 / (STREAM_BYTES / 1e6)).toFixed(2)} ms/MB`;
  table([
    ['', '2 KB lines, ascii', '2 KB lines, cjk', 'one line of 32 MB'],
    ...Object.keys(readers).map((name) => [
      name,
      perMegabyte(lines.ascii[name]),
      perMegabyte(lines.cjk[name]),
      `${(long[name] / 1000).toFixed(0)} ms`,
    ]),
  ]);
  console.log();
  for (const name of ['readline', 'split2', 'ndjson']) {
    goalFaster(`W3 than ${name}, ascii`, lines.ascii[name], lines.ascii.ours, 1);
    goalFaster(`W3 than ${name}, cjk`, lines.cjk[name], lines.cjk.ours, 1);
  }
  goalFaster('W3 than split2, one line of 32 MB', long.split2, long.ours, 50);
}

async function measureAll(stream) {
  const chunks = [];
  for (let start = 0; start < stream.length; start += CHUNK_BYTES)
    chunks.push(stream.subarray(start, start + CHUNK_BYTES));
  const costs = {};
  for (const [name, read] of Object.entries(readers)) costs[name] = await timeAsync(() => read(chunks));
  return costs;
}

function linesOf(word) {
  const content = word.repeat(Math.ceil(LINE_BYTES / Buffer.byteLength(word)));
  const line = Buffer.from(`${JSON.stringify({ type: 'message', role: 'assistant', content })}\n`);
  return Buffer.concat(Array.from({ length: Math.ceil(STREAM_BYTES / line.length) }, () => line));
}

function oneLine() {
  return Buffer.from(`${JSON.stringify({ text: 'x'.repeat(LONG_LINE_BYTES) })}\n`);
}

function readWithOurs(chunks) {
  const reader = new JsonLines();
  let records = 0;
  for (const chunk of chunks) records += reader.push(chunk).length;
  return records + reader.end().length;
}

async function readWithReadline(chunks) {
  let records = 0;
  for await (const line of createInterface({ input: Readable.from(chunks) })) {
    if (typeof JSON.parse(line) === 'object') records++;
  }
  return records;
}

async function countObjects(stream) {
  let records = 0;
  for await (const record of stream) if (typeof record === 'object') records++;
  return records;
}
