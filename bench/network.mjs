// The network and the parsing of JSON are no part of what is measured: a response is there at once, and so is what its
// text says. All else that a request goes through stays as users have it.

/** What texts stand for that were never written. @type {Map<string, unknown>} */
const parsed = new Map();
const { parse } = JSON;
/** @type {(text: string, reviver?: (this: unknown, key: string, value: unknown) => unknown) => unknown} */
const parseUnlessKnown = (text, reviver) => {
  if (!parsed.has(text)) return parse(text, reviver);
  const value = parsed.get(text);
  parsed.delete(text);
  return value;
};
JSON.parse = parseUnlessKnown;

const headers = new Headers({ 'content-type': 'application/json' });
let texts = 0;

/** A response that says this. @param {unknown} value */
function responseOf(value, status = 200) {
  const text = `text ${texts++}`;
  parsed.set(text, value);
  const response = { ok: status < 300, status, headers, url: '', text: () => Promise.resolve(text) };
  // It has what is asked of a response.
  return /** @type {Response} */ (/** @type {unknown} */ (response));
}

/** The responses to the next requests, in the order of these. @type {Promise<Response>[]} */
const answers = [];

/** Answers a request as it was told before. @returns {Promise<Response>} */
function fetchResponse() {
  const answer = answers.shift();
  if (!answer) throw new Error('there was no answer prepared');
  return answer;
}

export const stubbedFetch = Object.assign(fetchResponse, {
  /** The next request is answered with this. @param {unknown} value */
  answer(value) {
    answers.push(Promise.resolve(responseOf(value)));
  },
  /** The next request waits, until it is said how it ends. */
  later() {
    /** @type {(response: Response) => void} */
    let settle = () => undefined;
    /** @type {(error: Error) => void} */
    let refuse = () => undefined;
    answers.push(
      new Promise((resolve, reject) => {
        settle = resolve;
        refuse = reject;
      }),
    );
    return {
      /** @param {unknown} value */
      succeed(value) {
        settle(responseOf(value));
      },
      fail() {
        settle(responseOf({ reason: 'refused' }, 422));
      },
      /** Nobody knows what came of it. */
      lose() {
        refuse(new TypeError('fetch failed'));
      },
    };
  },
});
