import { signal } from '@preact/signals';

export const PANELS = ['members', 'why', 'changes', 'cost'] as const;

export type PanelName = (typeof PANELS)[number];

/** The part of the page that the address names: all sessions, or a conversation and its open panel. */
export interface PagePlace {
  /** Absent: the list of sessions. */
  readonly conversation?: string;
  readonly panel?: PanelName;
  /** The turn that the panel is about. */
  readonly turn?: string;
}

/** Reads an address; what it does not know is the list of sessions. */
export function parsePlace(path: string): PagePlace {
  const [, head, conversation, panel, turn, ...rest] = path.split('/').map(decode);
  if (head !== 'c' || !conversation || rest.length > 0) return {};
  const known = PANELS.find((name) => name === panel);
  if (known === undefined) return { conversation };
  return { conversation, panel: known, turn: turn || undefined };
}

/** The address of a place. */
export function formatPlace({ conversation, panel, turn }: PagePlace): string {
  if (conversation === undefined) return '/';
  return ['/c', conversation, ...(panel ? [panel, ...(turn ? [turn] : [])] : [])]
    .map((part, index) => (index === 0 ? part : encodeURIComponent(part)))
    .join('/');
}

/** The place that is shown now. */
export const place = signal<PagePlace>({});

/** Goes to an address of the page; Back returns from there. */
export function go(path: string): void {
  if (path !== location.pathname) history.pushState(null, '', path);
  place.value = parsePlace(path);
}

/** Follows Back, Forward and the links of the page from now on. */
export function followAddress(): void {
  const read = () => {
    place.value = parsePlace(location.pathname);
  };
  addEventListener('popstate', read);
  document.addEventListener('click', (event) => {
    const path = pathOfLink(event);
    if (path === undefined) return;
    event.preventDefault();
    go(path);
  });
  read();
}

/** The path of a link of the page that was clicked plainly. */
function pathOfLink(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || event.defaultPrevented) return;
  const isOurs = link.origin === location.origin && !link.hasAttribute('download') && link.target === '';
  return isOurs && /^\/(?:c\/|$)/.test(link.pathname) ? link.pathname : undefined;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A lone per cent sign, typed by hand.
    return part;
  }
}

/** Whether the field that finds a text in the conversation is open. */
export const isFinding = signal(false);
