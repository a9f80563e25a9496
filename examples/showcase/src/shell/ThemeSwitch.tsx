import { useState } from 'react';

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

/** The theme of the system, unless the user wants another. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>('system');

  const change = (): void => {
    const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
    setTheme(next);
    document.documentElement.style.colorScheme = next === 'system' ? '' : next;
  };

  return (
    <button aria-label={`Theme: ${theme}`} title={`Theme: ${theme}`} onClick={change}>
      <i className={`theme ${theme}`} />
    </button>
  );
}
