import { applyChange, copyTree } from './copyTree.mjs';
import { build, requireValid, runTests } from './runTests.mjs';

/** For one step of one mutation; what takes longer has failed. */
const SECONDS = 240;
/** A test that breaks in one of these ways has met no program. */
const BROKEN = /^(?:SyntaxError|ReferenceError)\b/u;

/**
 * Makes each of the mutations in a copy of the project and runs the test that must notice it. Says how each went, and at
 * last `N of N noticed`; returns whether all were. Nothing is tried when a named test is missing or fails as it is.
 */
export async function runMutations({ root, mutations, say }) {
  const troubles = await inCopy(root, (folder) => checkBaseline(folder, mutations)).catch(({ message }) => [
    message,
  ]);
  for (const trouble of troubles) say(trouble);
  if (troubles.length > 0) return false;
  let noticed = 0;
  for (const mutation of mutations) {
    const began = performance.now();
    const problem = await inCopy(root, (folder) => findProblem(folder, mutation)).catch(
      ({ message }) => message,
    );
    const seconds = `${((performance.now() - began) / 1000).toFixed(0)} s`;
    if (problem === undefined) noticed += 1;
    say(`${problem === undefined ? '✓' : '✗'} ${mutation.name} (${seconds})${problem ? `: ${problem}` : ''}`);
  }
  say(`${noticed} of ${mutations.length} noticed`);
  return noticed === mutations.length;
}

/** Without any change every named test is there and passes. */
async function checkBaseline(folder, mutations) {
  const files = [...new Set(mutations.map(({ test }) => test))];
  const titles = [...new Set(mutations.map(({ title }) => title))];
  const { tests, crashes } = await runTests(folder, { files, titles, seconds: SECONDS });
  const troubles = mutations.flatMap((mutation) => {
    const named = testsOf(mutation, tests);
    if (named.length === 0) return [`${mutation.name}: ${mutation.test} has no test "${mutation.title}"`];
    return named
      .filter(({ status }) => status === 'failed')
      .map(({ name, messages }) => `${mutation.name}: "${name}" fails as it is: ${messages[0]}`);
  });
  return [...crashes, ...troubles];
}

/** Why a mutation counts as not noticed; undefined when the named test failed, and for no other reason. */
async function findProblem(folder, mutation) {
  applyChange(folder, mutation);
  await (mutation.built ? build : requireValid)(folder, { seconds: SECONDS });
  const { test, title } = mutation;
  const { tests, crashes } = await runTests(folder, { files: [test], titles: [title], seconds: SECONDS });
  if (crashes.length > 0) return `${test} could not be run: ${crashes[0]}`;
  const failed = testsOf(mutation, tests).filter(({ status }) => status === 'failed');
  if (failed.length === 0) return `"${title}" of ${test} passes`;
  return failed.flatMap(({ messages }) => messages).find((message) => BROKEN.test(message));
}

function testsOf({ test, title }, tests) {
  return tests.filter(({ file, name }) => file === test && name.includes(title));
}

async function inCopy(root, work) {
  const { folder, remove } = copyTree(root);
  try {
    return await work(folder);
  } finally {
    remove();
  }
}
