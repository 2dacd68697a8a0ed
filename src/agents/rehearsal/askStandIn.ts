import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { HuddleError } from '../../models/errors.js';

const program = fileURLToPath(new URL('./standIn.js', import.meta.url));

/** Runs one turn of a stand-in as a real child process: prompt in on stdin, answer out in JSON lines. */
export async function askStandIn(reply: string, prompt: string): Promise<string> {
  const child = spawn(process.execPath, [program, reply], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(child, 'close');
  child.stdin.end(prompt);
  const texts: string[] = [];
  let hasEnded = false;
  for await (const line of createInterface({ input: child.stdout })) {
    const record: { type?: string; text?: string } = JSON.parse(line);
    if (record.type === 'text' && typeof record.text === 'string') texts.push(record.text);
    if (record.type === 'end') hasEnded = true;
  }
  await exit;
  if (!hasEnded) throw new HuddleError('NO_FINAL_EVENT', 'The stand-in ended without finishing its answer');
  return texts.join('\n\n');
}
