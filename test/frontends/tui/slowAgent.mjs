// A program that begins to answer and goes on when the file named by its argument is there.
import { existsSync, watch } from 'node:fs';
import { dirname } from 'node:path';

const [, , gate] = process.argv;

process.stdin.resume();
process.stdin.on('end', async () => {
  process.stdout.write('The first half of **the answer**');
  await appears(gate);
  process.stdout.write(', and the second half.\n');
});

function appears(file) {
  return new Promise((resolve) => {
    const watcher = watch(dirname(file), check);
    function check() {
      if (!existsSync(file)) return;
      watcher.close();
      resolve();
    }
    check();
  });
}
