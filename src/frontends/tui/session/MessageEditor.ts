import {
  CURSOR_MARKER,
  decodeKittyPrintable,
  Editor,
  getKeybindings,
  type Keybinding,
  type KeyId,
  matchesKey,
  truncateToWidth,
} from '@earendil-works/pi-tui';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';
import { toHalfWidth } from '../../../utils/toHalfWidth.js';
import type { Theme } from '../paint/theme.js';
import { alignCursor, locateCursor, wordPastes, wordPastesOfRow, wordRule } from './EditorCursor.js';
import { HistorySearch, InputHistory } from './InputHistory.js';
import { type Completion, MemberCompletion } from './MemberCompletion.js';
import type { ScrollbackTui } from './ScrollbackTui.js';

const LARGEST_MENU = 8;
const PADDING = 2;
const NEW_LINE = '\n';
/** As the editor measures what it shows as `[paste #1 +11 lines]`. */
const LARGEST_SHOWN = { lines: 10, characters: 1000 };
/** Keys of the editor's menu. */
const MENU_KEYS: readonly Keybinding[] = [
  'tui.select.up',
  'tui.select.down',
  'tui.select.cancel',
  'tui.select.confirm',
  'tui.input.tab',
];
/** After these the editor asks again what to offer, as it does after a character. */
const DELETE_KEYS: readonly Keybinding[] = ['tui.editor.deleteCharBackward', 'tui.editor.deleteCharForward'];
/** Keys that leave a search with nothing changed. */
const BACK_KEYS: readonly KeyId[] = ['escape', 'ctrl+g', 'ctrl+c'];
const CONTROL_CHARACTERS = /[^\P{Cc}\n\t]/gu;
const MARKED_PASTE = /^\x1b\[200~([^\r\n]*)[\s\S]*\x1b\[201~$/u;

export interface MessageEditorOptions {
  readonly theme: Theme;
  readonly completion: Completion;
  /** Texts of earlier sessions, newest first. */
  loadHistory(): readonly string[];
  /** `shown`: the text as it stood in the editor, with short names for long pastes. */
  onSubmit(text: string, shown: string): void;
}

/** The editor of a message: pi-tui's, with a history that can be searched, and a cursor that keeps its column. */
export class MessageEditor {
  readonly #editor: Editor;
  readonly #theme: Theme;
  readonly #completion: MemberCompletion;
  readonly #history: InputHistory;
  #search: HistorySearch | null = null;
  #width = 1;
  /** The column that the cursor keeps on its way up and down. */
  #column: number | null = null;
  /** The text that Enter was pressed on: once it is submitted, the editor has forgotten the names of its pastes. */
  #entered = { text: '', shown: '' };

  constructor(tui: ScrollbackTui, { theme, completion, loadHistory, onSubmit }: MessageEditorOptions) {
    this.#theme = theme;
    this.#history = new InputHistory(loadHistory);
    this.#editor = new Editor(tui, theme.editor, {
      paddingX: PADDING,
      autocompleteMaxVisible: LARGEST_MENU,
    });
    this.#completion = new MemberCompletion(completion);
    this.#editor.setAutocompleteProvider(this.#completion);
    this.#editor.onSubmit = (text) =>
      onSubmit(text, text === this.#entered.text ? this.#entered.shown : text);
    tui.setFocus(this.#editor);
  }

  get isEmpty(): boolean {
    return this.#editor.getText() === '' && this.#search === null;
  }

  /** A menu or a search is open, which Esc closes. */
  get isBusy(): boolean {
    return this.isSearching || this.#editor.isShowingAutocomplete();
  }

  get isSearching(): boolean {
    return this.#search !== null;
  }

  /** All of it, also what is shown short. */
  get text(): string {
    return this.#editor.getExpandedText();
  }

  /** Long texts are shown short, as if they were pasted. */
  set text(text: string) {
    const { lines, characters } = LARGEST_SHOWN;
    const safe = clean(text);
    const isLong = safe.length > characters || safe.split('\n').length > lines;
    this.#editor.setText(isLong ? '' : safe);
    if (isLong) this.#editor.handleInput(`\x1b[200~${safe}\x1b[201~`);
  }

  /** Takes what became of the text elsewhere. It is shown whole, unless a part of it was shown short before. */
  replace(text: string): void {
    if (text === this.text) return;
    if (this.#hasPastes) this.text = text;
    else this.#editor.setText(clean(text));
  }

  remember(text: string): void {
    this.#history.add(text);
  }

  render(width: number): string[] {
    this.#width = width;
    if (this.#search !== null) return this.#renderSearch(this.#search);
    const { words } = this.#theme;
    const rows = this.#editor.render(width).map((row) => wordRule(joinQuiet(row), words));
    if (this.#hasPastes) return rows.map((row) => wordPastesOfRow(row, words));
    return this.isEmpty ? rows.with(1, this.#renderPlaceholder()) : rows;
  }

  handleKey(data: string): void {
    if (this.#search !== null && this.#handleSearchKey(this.#search, data)) return;
    if (this.#editor.isShowingAutocomplete()) this.#closeStaleMenu(data);
    const isMenuOpen = this.#editor.isShowingAutocomplete();
    const column = this.#column;
    this.#column = null;
    if (matchesKey(data, 'ctrl+r')) this.#openSearch();
    else if (matchesKey(data, 'up') && !isMenuOpen) this.#moveUp(data, column);
    else if (matchesKey(data, 'down') && !isMenuOpen) this.#moveDown(data, column);
    else if (matchesKey(data, 'alt+enter') || matchesKey(data, 'ctrl+j')) this.#editor.handleInput(NEW_LINE);
    else this.#handleUsualKey(data);
  }

  #handleUsualKey(data: string): void {
    if (isOneOf(data, ['tui.input.submit']))
      this.#entered = { text: this.text.trim(), shown: this.#readShown().trim() };
    this.#editor.handleInput(this.#isMenuSign(data) ? toHalfWidth(data) : data);
  }

  /** Some of the text is shown short. */
  get #hasPastes(): boolean {
    return this.text !== this.#editor.getText();
  }

  #readShown(): string {
    const text = this.#editor.getText();
    return this.#hasPastes ? wordPastes(text, this.#theme.words) : text;
  }

  /** `／` and `＠` of a Chinese keyboard, where `/` and `@` open a menu. */
  #isMenuSign(data: string): boolean {
    const { line, col } = this.#editor.getCursor();
    const before = this.#editor.getLines()[line]?.slice(0, col) ?? '';
    return data === '／' ? this.isEmpty : data === '＠' && /(?:^|\s)$/u.test(before);
  }

  /** Through the rows, and on the first one into the history. */
  #moveUp(data: string, column: number | null): void {
    const { isFirst } = locateCursor(this.#editor, this.#width);
    const entry = isFirst ? this.#history.older(this.#editor.getText()) : undefined;
    if (!isFirst) this.#moveRow(data, column);
    else if (entry === undefined) this.#editor.handleInput(data);
    else this.#recall(entry);
  }

  #moveDown(data: string, column: number | null): void {
    const { isLast } = locateCursor(this.#editor, this.#width);
    const newer = isLast ? this.#history.newer(this.#editor.getText()) : undefined;
    if (!isLast) this.#moveRow(data, column);
    else if (newer === undefined) this.#editor.handleInput(data);
    else if ('entry' in newer) this.#recall(newer.entry);
    // With the names of its pastes, which the editor still knows.
    else this.#editor.setText(newer.draft);
  }

  #recall(entry: string): void {
    this.text = entry;
    this.#history.noteShown(this.#editor.getText());
  }

  #moveRow(data: string, column: number | null): void {
    const wanted = column ?? locateCursor(this.#editor, this.#width).column;
    this.#editor.handleInput(data);
    alignCursor(this.#editor, this.#width, wanted);
    this.#column = wanted;
  }

  #openSearch(): void {
    this.#editor.setAutocompleteProvider(this.#completion);
    this.#search = new HistorySearch(this.#history.entries);
  }

  /** Returns false for a key that is not the search's: it takes what was found and is then a key of the editor. */
  #handleSearchKey(search: HistorySearch, data: string): boolean {
    const typed = readCharacter(data);
    if (typed !== undefined) search.look(search.query + typed);
    else if (matchesKey(data, 'ctrl+r')) search.older();
    else if (isOneOf(data, ['tui.editor.deleteCharBackward']))
      search.look([...search.query].slice(0, -1).join(''));
    else {
      this.#search = null;
      if (BACK_KEYS.some((key) => matchesKey(data, key))) return true;
      if (search.match !== undefined) this.text = search.match;
      return isOneOf(data, ['tui.input.submit', 'tui.input.tab']);
    }
    return true;
  }

  /** The empty line, with a word on what it is for behind the cursor. */
  #renderPlaceholder(): string {
    const room = Math.max(1, this.#width - 2 * PADDING);
    const text = truncateToWidth(this.#theme.words.terminal.placeholder, room, '…');
    return `${' '.repeat(PADDING)}${CURSOR_MARKER}${this.#theme.tones.quiet(text)}`;
  }

  #renderSearch({ query, match }: HistorySearch): string[] {
    const rule = this.#theme.editor.borderColor('─'.repeat(this.#width));
    const typed = sanitizeToOneLine(query) + CURSOR_MARKER;
    const { search, searchFailed } = this.#theme.words.terminal;
    const found = match === undefined ? '' : sanitizeToOneLine(match);
    const line = match === undefined && query !== '' ? searchFailed(typed) : search(typed, found);
    const room = Math.max(1, this.#width - 2 * PADDING);
    return [rule, `${' '.repeat(PADDING)}${truncateToWidth(line, room, '…')}`, rule];
  }

  /** A menu is good for the text it was made for, and for as long as the editor follows what becomes of it. */
  #closeStaleMenu(data: string): void {
    if (isFollowed(data)) return;
    const place = { lines: this.#editor.getLines(), ...this.#editor.getCursor() };
    const isFresh = isOneOf(data, MENU_KEYS) && this.#completion.isFor(place);
    if (!isFresh) this.#editor.setAutocompleteProvider(this.#completion);
  }
}

/** Text from a file or a log, without the characters that no one types. */
function clean(text: string): string {
  return text.replace(CONTROL_CHARACTERS, '');
}

/** Whether the editor asks again what to offer after this key. */
function isFollowed(data: string): boolean {
  return isCharacter(data) || isOneOf(data, DELETE_KEYS);
}

function isCharacter(data: string): boolean {
  return decodeKittyPrintable(data) !== undefined || /^[^\p{Cc}]/u.test(data);
}

/** The text of a key, or the first line of a paste; undefined for a key that writes nothing. */
function readCharacter(data: string): string | undefined {
  return MARKED_PASTE.exec(data)?.[1] ?? decodeKittyPrintable(data) ?? (isCharacter(data) ? data : undefined);
}

function isOneOf(data: string, keys: readonly Keybinding[]): boolean {
  return keys.some((key) => getKeybindings().matches(data, key));
}

/** The editor paints its rules character by character, which makes them twelve times as long as they look. */
function joinQuiet(line: string): string {
  return line.replaceAll('\x1b[22m\x1b[2m', '');
}
