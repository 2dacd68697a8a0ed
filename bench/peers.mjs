// `npm run bench peers`: the same work done by others. Their packages are installed when this is first run.
import { fileURLToPath } from 'node:url';
import { installBeside } from '../scripts/installOnce.mjs';

export async function peers() {
  installBeside(fileURLToPath(new URL('.', import.meta.url)), 'the comparison with peers');
  const { peersContext } = await import('./peersContext.mjs');
  const { peersLines } = await import('./peersLines.mjs');
  const { peersTurn } = await import('./peersTurn.mjs');
  const { peersStartUp } = await import('./peersStartUp.mjs');
  await peersContext();
  await peersLines();
  await peersTurn();
  peersStartUp();
}
