/** A sandboxed frame has no storage, and asking for it throws. Whatever is bundled into the frame finds this in its place. */
const kept = new Map<string, string>();

export const localStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = {
  getItem: (key) => kept.get(key) ?? null,
  setItem: (key, value) => void kept.set(key, value),
  removeItem: (key) => void kept.delete(key),
};
