import { createInterface } from 'node:readline';
import { takeCopyPlace } from '../../src/files/copies/copyLeases.js';

/** Takes the place of a member's copy in each folder that it is told, and prints which it got. */
for await (const copies of createInterface({ input: process.stdin })) {
  const { folder } = takeCopyPlace(copies, 'ada', `conversation of ${process.pid}`);
  console.log(folder);
}
