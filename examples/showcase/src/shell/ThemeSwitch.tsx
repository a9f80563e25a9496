import { setTheme, themes, useTheme } from './theme';

/** The theme of the system, unless the user wants another. */
export function ThemeSwitch() {
  const theme = useTheme();

  const change = (): void => {
    setTheme(themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system');
  };

  return (
    <button aria-label={`Theme: ${theme}`} title={`Theme: ${theme}`} onClick={change}>
      <i className={`theme ${theme}`} />
    </button>
  );
}
