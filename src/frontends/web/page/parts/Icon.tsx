/** Drawings on a square of 16, by strokes. */
const PATHS = {
  ask: 'M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.7.4-1.1.8-1.1 1.6M8 12.5h.01',
  back: 'M10 3 5 8l5 5',
  check: 'M3 8.5 6.5 12 13 4.5',
  close: 'M4 4l8 8M12 4l-8 8',
  fail: 'M8 3v6M8 12.5h.01',
  find: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.4 10.4 14 14',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  next: 'M6 3l5 5-5 5',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.5v9L12 8 5 3.5Z',
  plus: 'M8 3v10M3 8h10',
  retry: 'M13 8a5 5 0 1 1-1.6-3.7M13 2.5V5h-2.5',
  send: 'M8 13V3.5M4 7l4-4 4 4',
  settings: 'M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6M10 3.5v3M6 9.5v3',
  stop: 'M4.5 4.5h7v7h-7Z',
  trash: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9',
  work: 'M8 3a5 5 0 1 0 0 10M8 3a5 5 0 0 1 0 10ZM9.5 3.5v9M11 4.5v7M12 6v4',
  invite:
    'M6.5 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM2 13.5c.4-2.6 2.2-4 4.5-4s4.1 1.4 4.5 4M12.5 5v4M10.5 7h4',
} as const;

export type IconName = keyof typeof PATHS;

/** A small drawing that says nothing to those who listen: the control around it has a name. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
