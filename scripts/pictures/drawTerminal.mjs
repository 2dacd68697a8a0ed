// Draws what a terminal shows as an SVG: real text in any monospace font, each run where its columns are.

const CELL = { width: 8.4, height: 19, font: 14 };
const FRAME = { margin: 18, bar: 38, radius: 10 };
const COLOURS = {
  background: '#14161b',
  bar: '#1e2128',
  edge: '#363b45',
  text: '#d6dae1',
  title: '#8b93a1',
  lights: ['#f0655a', '#f2bd42', '#57c454'],
  palette: ['#4a505c', '#f07178', '#9ece6a', '#e0af68', '#7aa2f7', '#bb9af7', '#5fc9d8', '#d6dae1'],
};
const DIM = 0.55;
const FONTS =
  "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Noto Sans Mono CJK SC', 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', monospace";

/** `screen` is text with the escape sequences for colours, as `tmux capture-pane -e` gives it; the rest is left out. */
export function drawTerminal(screen, frame) {
  const lines = drawRows(screen.replace(/\n+$/u, ''));
  return drawSvg(lines, { ...frame, rows: lines.length });
}

/** Each row of a screen as SVG; an empty text where nothing is. */
export function drawRows(screen) {
  let style = {};
  return screen.split('\n').map((row, index) => {
    const read = readRow(row, style);
    style = read.style;
    return read.runs.map((run) => drawRun(run, index)).join('');
  });
}

/** A window with the title and the rows, or whatever else, in it. */
export function drawSvg(content, { columns, rows, title, description }) {
  const width = Math.ceil(columns * CELL.width + 2 * FRAME.margin);
  const height = Math.ceil(rows * CELL.height + FRAME.bar + 2 * FRAME.margin);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<desc>${escapeXml(description)}</desc>`,
    ...drawWindow(width, height, title),
    `<g font-family="${FONTS}" font-size="${CELL.font}" fill="${COLOURS.text}">`,
    ...content.filter((line) => line !== ''),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function drawWindow(width, height, title) {
  const { radius, bar, margin } = FRAME;
  const middle = bar / 2;
  const frame = `x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="${radius}"`;
  return [
    `<clipPath id="window"><rect ${frame}/></clipPath>`,
    `<rect ${frame} fill="${COLOURS.background}"/>`,
    `<rect width="${width}" height="${bar}" fill="${COLOURS.bar}" clip-path="url(#window)"/>`,
    `<rect ${frame} fill="none" stroke="${COLOURS.edge}"/>`,
    ...COLOURS.lights.map(
      (light, index) => `<circle cx="${margin + 4 + index * 20}" cy="${middle}" r="6" fill="${light}"/>`,
    ),
    `<text x="${width / 2}" y="${middle + 4.5}" text-anchor="middle" font-family="${FONTS}" font-size="13" fill="${COLOURS.title}">${escapeXml(title)}</text>`,
  ];
}

/** Splits a row where its colours change, before and after wide characters, and at two blanks or more. */
function readRow(row, before) {
  let style = before;
  let column = 0;
  const runs = [];
  for (const part of row.split(/(\u001b\[[\d;:]*m)/u)) {
    if (part.startsWith('\u001b[')) style = applySequence(style, part.slice(2, -1));
    else
      for (const text of printable(part).split(/( {2,}|[^\u0000-\u2e7f\ufb00-\ufdff]+)/u)) {
        const columns = columnsOf(text);
        if (text.trim() !== '' || (text !== '' && style.background))
          runs.push({ text, column, columns, style });
        column += columns;
      }
  }
  return { runs, style };
}

/** Other escape sequences and control characters mean nothing in a picture. */
function printable(text) {
  return text
    .replaceAll(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)?/gu, '')
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, '');
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u;

function columnsOf(text) {
  const graphemes = new Intl.Segmenter().segment(text);
  return [...graphemes].reduce((sum, { segment }) => sum + (WIDE.test(segment) ? 2 : 1), 0);
}

const SWITCHES = new Map([
  [0, () => ({})],
  [1, (style) => ({ ...style, bold: true })],
  [2, (style) => ({ ...style, dim: true })],
  [3, (style) => ({ ...style, italic: true })],
  [4, (style) => ({ ...style, underline: true })],
  [7, (style) => ({ ...style, inverse: true })],
  [22, (style) => ({ ...style, bold: false, dim: false })],
  [23, (style) => ({ ...style, italic: false })],
  [24, (style) => ({ ...style, underline: false })],
  [27, (style) => ({ ...style, inverse: false })],
  [39, (style) => ({ ...style, colour: undefined })],
  [49, (style) => ({ ...style, background: undefined })],
]);

function applySequence(style, parameters) {
  const codes = parameters.split(/[;:]/u).map(Number);
  let changed = style;
  while (codes.length > 0) {
    const code = codes.shift();
    const layer = code >= 40 && code < 50 ? 'background' : 'colour';
    if (code === 38 || code === 48) changed = { ...changed, [layer]: takeColour(codes) };
    else if ((code >= 30 && code < 38) || (code >= 40 && code < 48))
      changed = { ...changed, [layer]: COLOURS.palette[code % 10] };
    else if (code >= 90 && code < 98) changed = { ...changed, colour: COLOURS.palette[code - 90] };
    else changed = SWITCHES.get(code)?.(changed) ?? changed;
  }
  return changed;
}

/** `5;n` from the 256 colours, or `2;r;g;b`. */
function takeColour(codes) {
  if (codes.shift() === 2) return toHex(codes.splice(0, 3));
  const index = codes.shift() ?? 7;
  if (index < 16) return COLOURS.palette[index % 8];
  if (index >= 232) return toHex(Array(3).fill(8 + (index - 232) * 10));
  const level = (step) => (step === 0 ? 0 : 55 + step * 40);
  const cube = index - 16;
  return toHex([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level));
}

function toHex(channels) {
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

function drawRun({ text, column, columns, style }, row) {
  const [ink, paper] = style.inverse
    ? [style.background ?? COLOURS.background, style.colour ?? COLOURS.text]
    : [style.colour, style.background];
  const top = FRAME.bar + FRAME.margin + row * CELL.height;
  // Viewers trim the ends of a text, so blanks there are left out and the text moved.
  const start = column + text.length - text.trimStart().length;
  const shown = text.trim();
  const attributes = {
    x: left(start),
    y: round(top + CELL.height * 0.74),
    textLength: round(columnsOf(shown) * CELL.width),
    lengthAdjust: 'spacingAndGlyphs',
    fill: ink,
    'fill-opacity': style.dim ? DIM : undefined,
    'font-weight': style.bold ? 'bold' : undefined,
    'font-style': style.italic ? 'italic' : undefined,
    'text-decoration': style.underline ? 'underline' : undefined,
  };
  const area = {
    x: left(column),
    y: top,
    width: round(columns * CELL.width),
    height: CELL.height,
    fill: paper,
  };
  const behind = paper === undefined ? '' : `<rect${format(area)}/>`;
  return shown === '' ? behind : `${behind}<text${format(attributes)}>${escapeXml(shown)}</text>`;
}

function format(attributes) {
  return Object.entries(attributes)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${value}"`))
    .join('');
}

function left(column) {
  return round(FRAME.margin + column * CELL.width);
}

function round(number) {
  return Math.round(number * 100) / 100;
}

export function escapeXml(text) {
  const names = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replaceAll(/[&<>"]/gu, (character) => names[character]);
}
