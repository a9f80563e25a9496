/** A function with a prototype of our choice: what makes a class callable. */
export function makeCallable<T extends object>(prototype: T, call: (args: readonly unknown[]) => unknown): T {
  const self = (...args: readonly unknown[]): unknown => call(args);
  // A function's own name and length would hide the endpoint's.
  Reflect.deleteProperty(self, 'name');
  Reflect.deleteProperty(self, 'length');
  return Object.setPrototypeOf(self, prototype) as T;
}
