import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { formatNumber } from '../../../../utils/formatNumber.js';
import { sanitizeForTerminal } from '../../../../utils/sanitize.js';
import { pageWords as words } from '../state/language.js';
import { MarkdownElements } from './MarkdownElements.js';
import {
  type OpenWorker,
  type ParseNews,
  type ReadOptions,
  type TextForm,
  TextParser,
} from './TextParser.js';
import workerAddress from './textWorker.ts?worker&url';
import './text.css';

/** As much as a page lays out at once without being noticed. */
const AT_ONCE = 500_000;
/** The end that is shown of a text that is still written. */
const GROWING_CHARACTERS = 20_000;

interface RichTextProps {
  /** Not yet safe to show. */
  readonly text: string;
  /** It is still being written. */
  readonly isGrowing?: boolean;
}

/** A text of a person or an agent: Markdown as elements, its code in colours. As it is until it is read, and if it is too long. */
export function RichText({ text, isGrowing = false }: RichTextProps) {
  const { start, rest } = useMemo(() => partText(text), [text]);
  const form = useTextForm(start, { isGrowing: isGrowing && rest === '' });
  const formatted = useMemo(
    () => (form === undefined || form === 'plain' ? undefined : <MarkdownElements {...form} />),
    [form],
  );
  return (
    <div class="text">
      {formatted ?? <PlainText text={start} />}
      {rest === '' ? null : isGrowing ? (
        <PlainText text={rest.slice(-GROWING_CHARACTERS)} />
      ) : (
        <Rest text={rest} />
      )}
    </div>
  );
}

function PlainText({ text }: { readonly text: string }) {
  return <div class="plain">{sanitizeForTerminal(text.replace(/\r\n?/gu, '\n'))}</div>;
}

/** The part of a long text that is only shown when it is asked for. */
function Rest({ text }: { readonly text: string }) {
  const [shown, setShown] = useState<readonly number[]>([]);
  const end = shown.at(-1) ?? 0;
  const showMore = () => setShown([...shown, findEnd(text, Math.min(text.length, end + AT_ONCE))]);
  return (
    <>
      {shown.map((to, index) => (
        <PlainText key={to} text={text.slice(shown[index - 1] ?? 0, to)} />
      ))}
      {end === text.length ? null : (
        <button type="button" class="quiet-button rest" onClick={showMore}>
          {words.webLog.showRest(formatSize(text.slice(end)))}
        </button>
      )}
    </>
  );
}

/** `236 KB`. */
function formatSize(text: string): string {
  return `${formatNumber(Math.ceil(new TextEncoder().encode(text).length / 1024))} KB`;
}

/** The form of a text: until it is read that of the text before, if there was one, so that a growing text does not flicker. */
function useTextForm(text: string, { isGrowing = false }: ReadOptions = {}): TextForm | undefined {
  const [latest, setLatest] = useState(() => textParser.known(text));
  const known = textParser.known(text);
  useLayoutEffect(
    () => (textParser.known(text) ? undefined : textParser.read(text, setLatest, { isGrowing })),
    [text, isGrowing],
  );
  return known ?? latest;
}

/** The part of Trusted Types that is used; browsers without them take the address as it is. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): string };
}

/** The one policy of the page, and the one script it lets be loaded: the worker. */
function trust(address: string): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined) return address;
  const policy = trustedTypes.createPolicy('huddle', { createScriptURL: () => address });
  return policy.createScriptURL(address);
}

let trusted: string | undefined;

const openWorker: OpenWorker = (take, fail) => {
  trusted ??= trust(workerAddress);
  const worker = new Worker(trusted, { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<ParseNews>) => take(data);
  worker.onerror = fail;
  return worker;
};

/** Reads every text of the page. */
const textParser = new TextParser(openWorker);

/** More than people read at once; formatting more would hold up the page. */
const FORMATTED_CHARACTERS = 20_000;
/** The distance in which a line end is looked for. */
const LOOKED_BACK = 2000;

/** The part of a text that is formatted, and the rest, which is shown as it is when it is asked for. */
export function partText(text: string): { readonly start: string; readonly rest: string } {
  if (text.length <= FORMATTED_CHARACTERS) return { start: text, rest: '' };
  const end = findEnd(text, FORMATTED_CHARACTERS);
  return { start: text.slice(0, end), rest: text.slice(end) };
}

/** The last line end before a place, or a place near it that is not within a character. */
export function findEnd(text: string, place: number): number {
  if (place >= text.length) return text.length;
  const lineEnd = text.lastIndexOf('\n', place - 1);
  if (lineEnd > place - LOOKED_BACK) return lineEnd + 1;
  const last = text.charCodeAt(place - 1);
  return last >= 0xd800 && last <= 0xdbff ? place - 1 : place;
}
