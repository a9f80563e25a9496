/** Stands for a package that is bundled along and never used. */
export const parse = undefined;
