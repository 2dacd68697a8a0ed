// A thread that does what the text of a question says: answers, dies, or never answers.
const { parentPort, threadId } = require('node:worker_threads');

parentPort.on('message', ({ about: { text } }) => {
  if (text === 'die') process.exit(1);
  if (text === 'throw') throw new Error('out of order');
  while (text === 'hang');
  parentPort.postMessage({ answer: { threadId, text } });
});
