import fc from 'fast-check';
import {
  type AssemblerInput,
  type AssemblerOutput,
  PromptBudgetError,
  type PromptGuard,
} from '../../../src/index.js';
import { budgetShare, inputWithoutBudget, RUNS } from './arbitraries.js';
import { expectTrue } from './expectEqual.js';
import { type Dialect, historyWithout, totalBytes } from './reference.js';

export const ROOMY = 768 * 1024;

/** The texts of an input as they have to arrive. */
export interface Parts {
  readonly system: string;
  readonly task: string;
  readonly context: AssemblerInput['contextMessages'];
  readonly message: string;
}

export function partsOf(dialect: Dialect, input: AssemblerInput, dropped = 0): Parts {
  return {
    system: dialect.render(input).system,
    task: input.teamTask?.trim().toWellFormed() ?? '',
    context: historyWithout(input, dropped),
    message: input.currentMessage.trim().toWellFormed(),
  };
}

function assembleOrNull(dialect: Dialect, input: AssemblerInput): AssemblerOutput | null {
  try {
    return dialect.assembler.assemble(input);
  } catch (error) {
    if (error instanceof PromptBudgetError) return null;
    throw error;
  }
}

/** Runs a check on prompts with every kind of budget, from too small to roomy; says how many were cut. */
export function checkWithinBudgets(
  dialect: Dialect,
  protection: PromptGuard,
  check: (input: AssemblerInput, output: AssemblerOutput, whole: AssemblerOutput) => void,
): { cuts: number } {
  let cuts = 0;
  fc.assert(
    fc.property(inputWithoutBudget, budgetShare, (fields, share) => {
      const roomy: AssemblerInput = { ...fields, guard: protection, maxBytes: ROOMY };
      const whole = dialect.assembler.assemble(roomy);
      const input = { ...roomy, maxBytes: share(totalBytes(whole)) };
      const output = assembleOrNull(dialect, input);
      if (output === null) return;
      if (output.trim !== undefined && output.trim.cutBytes > 0) cuts++;
      expectTrue(totalBytes(output) <= input.maxBytes, 'over budget');
      expectTrue(output.prompt.isWellFormed(), 'half a character');
      check(input, output, whole);
    }),
    { numRuns: RUNS },
  );
  return { cuts };
}
