import type { FileFault } from '../models/TeamProblem.js';

/** The sentence of each reason why a file cannot be read, in one language. */
export type FileFaultSentences = {
  readonly [Fault in FileFault['fault']]: (
    file: string,
    facts: Extract<FileFault, { fault: Fault }>,
  ) => string;
};

type FileProblem = FileFault & Readonly<Record<'field' | 'pointer' | 'value', string>>;

/** Words problems of files: the team file by its path, an instruction file by the field that names it. */
export function wordFileFaults(sentences: FileFaultSentences): (problem: FileProblem) => string {
  return (problem) => {
    const { field, pointer, value, fault } = problem;
    // The compiler does not see that the fault chooses the sentence that takes it.
    const sentence = sentences[fault] as (file: string, facts: FileFault) => string;
    return sentence(pointer === '' ? field : `${field} ${value}`, problem);
  };
}
