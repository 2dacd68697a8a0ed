import type { Signal } from '@preact/signals';
import { LANGUAGES } from '../../../../models/Language.js';
import { askForNotices } from '../afterwards.js';
import { learnWho } from '../state/access.js';
import { complain } from '../state/alerts.js';
import { language, pageWords as words } from '../state/language.js';
import { notices, sound, switchLanguage, type ThemeName, theme } from '../state/settings.js';
import { Icon } from './controls.js';

const THEMES: readonly ThemeName[] = ['auto', 'light', 'dark'];
const LANGUAGE_FIELD = 'language';

/** Choices of this browser: language, colours, notices. */
export function SettingsMenu() {
  const { settings } = words.web;
  return (
    <>
      <button
        type="button"
        class="button bare"
        popovertarget="settings"
        aria-label={settings.title}
        title={settings.title}
      >
        <Icon name="settings" />
      </button>
      <fieldset id="settings" popover="auto" class="menu settings" aria-label={settings.title}>
        <label>
          <span>{settings.language}</span>
          <select id={LANGUAGE_FIELD} value={language.value} onChange={changeLanguage}>
            {LANGUAGES.map((name) => (
              <option key={name} value={name} lang={name}>
                {NAMES[name]}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{settings.theme}</span>
          <select
            value={theme.value}
            onChange={({ currentTarget }) => {
              theme.value = THEMES.find((name) => name === currentTarget.value) ?? 'auto';
            }}
          >
            {THEMES.map((name) => (
              <option key={name} value={name}>
                {settings.themes[name]}
              </option>
            ))}
          </select>
        </label>
        <Switch
          label={settings.notices}
          setting={notices}
          onSwitch={async (isOn) => !isOn || (await askForNotices())}
        />
        <Switch label={settings.sound} setting={sound} />
      </fieldset>
    </>
  );
}

/** Each in itself: whoever cannot read this page finds theirs. */
const NAMES = { en: 'English', 'zh-CN': '简体中文' };

interface SwitchProps {
  readonly label: string;
  readonly setting: Signal<'on' | 'off'>;
  /** Resolves with whether it can be switched. */
  readonly onSwitch?: (isOn: boolean) => Promise<boolean>;
}

function Switch({ label, setting, onSwitch = async () => true }: SwitchProps) {
  const change = async (box: HTMLInputElement) => {
    const isOn = box.checked;
    setting.value = isOn && (await onSwitch(isOn)) ? 'on' : 'off';
    box.checked = setting.value === 'on';
  };
  return (
    <label>
      <span>{label}</span>
      <input
        type="checkbox"
        checked={setting.value === 'on'}
        onChange={({ currentTarget }) => change(currentTarget)}
      />
    </label>
  );
}

/** Everything is shown anew in the other language; the menu stays open and keeps the focus. */
async function changeLanguage({
  currentTarget,
}: {
  readonly currentTarget: HTMLSelectElement;
}): Promise<void> {
  const chosen = LANGUAGES.find((name) => name === currentTarget.value);
  if (chosen === undefined) return;
  await switchLanguage(chosen);
  // What stands in the way of a new conversation is told by the server.
  await learnWho().catch(complain);
  requestAnimationFrame(() => {
    document.getElementById('settings')?.showPopover();
    document.getElementById(LANGUAGE_FIELD)?.focus();
  });
}
