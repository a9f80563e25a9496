/** What is remembered of the panel between visits. */
export interface Remembered {
  readonly isOpen?: boolean;
  /** Its height, or its width, in px. */
  readonly size?: number;
  readonly tab?: string;
}

const KEY = 'rtk-resource-devtools';

/** The browser may refuse its storage, and anything may stand there. */
export function remembered(): Remembered {
  try {
    const { isOpen, size, tab } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Remembered;
    return {
      ...(typeof isOpen === 'boolean' && { isOpen }),
      ...(typeof size === 'number' && { size }),
      ...(typeof tab === 'string' && { tab }),
    };
  } catch {
    return {};
  }
}

export function remember(part: Remembered): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...remembered(), ...part }));
  } catch {
    // It is not remembered, then.
  }
}
