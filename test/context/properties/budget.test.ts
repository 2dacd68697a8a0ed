import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AssemblerInput, type AssemblerOutput, PromptBudgetError } from '../../../src/index.js';
import { budgetShare, inputWithoutBudget, PROPERTY_TIMEOUT, RUNS } from './arbitraries.js';
import { expectEqual, expectTrue } from './expectEqual.js';
import { DIALECTS, type Dialect, renderWhole, renderWithinBudget, totalBytes } from './reference.js';

/** Inputs with a budget somewhere between nothing and a little more than the whole prompt. */
function tightInput(dialect: Dialect): fc.Arbitrary<AssemblerInput> {
  return fc.tuple(inputWithoutBudget, budgetShare).map(([input, share]) => ({
    ...input,
    maxBytes: share(totalBytes(renderWhole(dialect, { ...input, maxBytes: 0 }))),
  }));
}

function assembleOrRefuse(
  { assembler }: Dialect,
  input: AssemblerInput,
): AssemblerOutput | PromptBudgetError {
  try {
    return assembler.assemble(input);
  } catch (error) {
    if (error instanceof PromptBudgetError) return error;
    throw error;
  }
}

describe.each(DIALECTS)('a $name prompt', (dialect) => {
  it(
    'is the documents’ rendering, unchanged and without a trim report, wherever that fits',
    () => {
      fc.assert(
        fc.property(inputWithoutBudget, fc.nat(2), (input, spare) => {
          const { prompt, systemFlag } = renderWhole(dialect, { ...input, maxBytes: 0 });
          const maxBytes = totalBytes({ prompt, systemFlag }) + spare;
          expectEqual(dialect.assembler.assemble({ ...input, maxBytes }), { prompt, systemFlag });
        }),
        { numRuns: RUNS },
      );
    },
    PROPERTY_TIMEOUT,
  );

  it(
    'keeps the most that a search by trial finds: newest messages, pinned one last, message cut at the very end',
    () => {
      fc.assert(
        fc.property(tightInput(dialect), (input) => {
          const output = assembleOrRefuse(dialect, input);
          const expected = renderWithinBudget(dialect, input);
          expectEqual(output instanceof PromptBudgetError ? null : output, expected);
        }),
        { numRuns: RUNS },
      );
    },
    PROPERTY_TIMEOUT,
  );

  it(
    'is never over budget, always well-formed, and its parts that must stay are there whole',
    () => {
      fc.assert(
        fc.property(tightInput(dialect), (input) => {
          const output = assembleOrRefuse(dialect, input);
          if (output instanceof PromptBudgetError) return;
          const { prompt, systemFlag = '', trim } = output;
          expectTrue(totalBytes(output) <= input.maxBytes, 'over budget');
          expectTrue(prompt.isWellFormed() && systemFlag.isWellFormed(), 'half a character');
          const { system, task } = dialect.render(input);
          expectTrue(`${systemFlag}\n${prompt}`.includes(system.toWellFormed()), 'system text is cut');
          expectTrue(prompt.includes(task.toWellFormed()), 'task is cut');
          if (trim !== undefined) expect(trim.droppedMessages + trim.cutBytes).toBeGreaterThan(0);
          if (trim !== undefined && trim.cutBytes > 0) {
            expect(trim.droppedMessages).toBe(input.contextMessages.length);
            expect(prompt.endsWith(`\n[… ${trim.cutBytes} bytes cut]`)).toBe(true);
          }
        }),
        { numRuns: RUNS },
      );
    },
    PROPERTY_TIMEOUT,
  );

  it(
    'that cannot be made says how many bytes would do, and one byte less would not',
    () => {
      let refused = 0;
      fc.assert(
        fc.property(tightInput(dialect), (input) => {
          const error = assembleOrRefuse(dialect, input);
          if (!(error instanceof PromptBudgetError)) return;
          refused++;
          const { neededBytes } = error;
          expect(neededBytes).toBeGreaterThan(input.maxBytes);
          expect(assembleOrRefuse(dialect, { ...input, maxBytes: neededBytes })).not.toBeInstanceOf(Error);
          expect(assembleOrRefuse(dialect, { ...input, maxBytes: neededBytes - 1 })).toMatchObject({
            neededBytes,
          });
        }),
        { numRuns: RUNS },
      );
      expect(refused).toBeGreaterThan(RUNS / 20);
    },
    PROPERTY_TIMEOUT,
  );
});
