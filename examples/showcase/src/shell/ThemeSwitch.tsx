import { useState } from 'react';

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

/** The theme of the system, unless the user wants another. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>('system');

  const choose = (chosen: Theme): void => {
    setTheme(chosen);
    document.documentElement.style.colorScheme = chosen === 'system' ? '' : chosen;
  };

  return (
    <select
      aria-label="Theme"
      value={theme}
      onChange={({ target }) => {
        choose(themes.find((one) => one === target.value) ?? 'system');
      }}
    >
      {themes.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  );
}
