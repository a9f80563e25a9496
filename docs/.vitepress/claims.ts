/** What a snippet claims of its values: `value; // → 5`. The tests check claims; the playground prints the values. */
import type { Snippet } from './snippets.js';

/** How many values a snippet claims. */
export function claimsOf({ code }: Snippet): number {
  return code.split('\n').filter((one) => claim.test(one)).length;
}

const claim = /^(\s*)(?:const (\w+) = )?(.*?);? \/\/ → (.*)$/;

/** The code with its claims made into calls: `value; // → 5` is checked, and so is `call(); // → throws R3`. */
export function withChecks(code: string): string {
  return code
    .split('\n')
    .map((line) => {
      const [, indent = '', name, expression = '', told = ''] = claim.exec(line) ?? [];
      if (told === '') return line;
      const [, error] = /^throws (\w+)$/.exec(told) ?? [];
      if (error !== undefined) return `${indent}await throws(async () => (${expression}), '${error}');`;
      const value = name === undefined ? expression : name;
      const before = name === undefined ? '' : `const ${name} = ${expression}; `;
      return `${indent}${before}shows(${value}, ${JSON.stringify(told)});`;
    })
    .join('\n');
}

declare global {
  /** Hears of a value and what is told of it: a test fails unless the value looks like this in a console. */
  function shows(value: unknown, told: string): void;
  /** Hears of a call and the code, or the name, of the error that it throws. */
  function throws(run: () => Promise<unknown>, told: string): Promise<void>;
}
