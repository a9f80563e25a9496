/** The body of an error's answer. A server may leave out whatever it likes. */
interface Problem {
  readonly title?: string;
  /** What is wrong with a form, by its fields. */
  readonly errors?: Readonly<Record<string, string>>;
}

/** Declares the type of `error.data`. */
export const problem: Problem = {};
