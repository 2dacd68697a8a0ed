import { describeDiff } from '../../../../catalogue/editDiffs.js';
import { describeRequest } from '../../../../catalogue/permissionRequests.js';
import type { FileDiff } from '../../../../models/AgentEvent.js';
import { sanitizeForTerminal } from '../../../../utils/sanitize.js';
import type { OpenRequest } from '../../wire.js';

/** Everything a permission request is about, nothing cut: command, files, input, and the lines of an edit. */
export function RequestDetails({ request }: { readonly request: OpenRequest }) {
  const lines = describeRequest(request);
  return (
    <>
      <dl class="facts">
        {groupLines(lines).map(({ label, text }) => (
          <div key={`${label} ${text}`}>
            <dt>{label}</dt>
            <dd>
              <pre>{sanitizeForTerminal(text)}</pre>
            </dd>
          </div>
        ))}
      </dl>
      {request.diffs?.map((diff) => (
        <EditedFile key={diff.path} diff={diff} />
      ))}
    </>
  );
}

function EditedFile({ diff }: { readonly diff: FileDiff }) {
  const { title, lines } = describeDiff(diff);
  return (
    <figure class="diff">
      <figcaption>{sanitizeForTerminal(title)}</figcaption>
      <pre>
        {lines.map(({ mark, text }, index) => (
          <span key={index} class={LINE_CLASSES[mark] ?? ''}>
            {`${mark} ${sanitizeForTerminal(text)}\n`}
          </span>
        ))}
      </pre>
    </figure>
  );
}

const LINE_CLASSES: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '…': 'skipped' };

interface Fact {
  readonly label: string;
  readonly text: string;
}

/** Lines without a label of their own belong to the one before. */
function groupLines(lines: ReturnType<typeof describeRequest>): readonly Fact[] {
  const facts: Fact[] = [];
  for (const [label, line] of lines) {
    const last = facts.at(-1);
    if (label.trim() !== '' || last === undefined) facts.push({ label: label.trim(), text: line });
    else facts[facts.length - 1] = { ...last, text: `${last.text}\n${line}` };
  }
  return facts;
}
