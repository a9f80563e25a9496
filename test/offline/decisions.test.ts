import { describe, expect, it } from 'vitest';
import { backoff, fateOf, isSafe, mayPass, type Sent } from '../../src/offline/decisions.js';

const day = 24 * 60 * 60 * 1_000;
const sent: Sent = {
  status: undefined,
  retryAfter: 0,
  hasKey: false,
  isRepeatable: true,
  isInDoubt: false,
  isDeletion: false,
  isResend: false,
  age: 0,
  faults: 0,
  conflicts: 0,
  attempts: 1,
};
const fate = (about: Partial<Sent>) => fateOf({ ...sent, ...about }, 0.5);

describe('what becomes of a write that was not done', () => {
  it.each([undefined, 408, 500, 502, 504, 520, 521, 522, 523, 524, 530])(
    'waits after %s, if it may be done twice',
    (status) => {
      expect(fate({ status }).to).toBe('waiting');
    },
  );

  it.each([undefined, 408, 500, 502, 504, 520, 521, 522, 523, 524, 530])(
    'is unknown after %s, if it may not',
    (status) => {
      expect(fate({ status, isRepeatable: false, isInDoubt: true }).to).toBe('unknown');
    },
  );

  it('is sent again with its key, for as long as servers remember keys', () => {
    const keyed = { isRepeatable: false, hasKey: true, isInDoubt: true };
    expect(fate({ ...keyed, age: day - 1 }).to).toBe('waiting');
    expect(fate({ ...keyed, age: day }).to).toBe('unknown');
    // The clock was set back, so nobody knows how old the key is.
    expect(fate({ ...keyed, age: -day }).to).toBe('unknown');
    // What was refused last may have been done before.
    expect(fate({ ...keyed, status: 503, age: day }).to).toBe('unknown');
  });

  it.each([425, 429, 503, 511])('waits after %s, whatever it is: nothing was done', (status) => {
    expect(fate({ status, isRepeatable: false }).to).toBe('waiting');
  });

  it.each([400, 403, 404, 410, 422, 501])('has failed after %s', (status) => {
    expect(fate({ status }).to).toBe('failed');
  });

  it.each([409, 412])('is a conflict after %s', (status) => {
    expect(fate({ status }).to).toBe('conflict');
  });

  it('has failed with the tenth 500', () => {
    expect(fate({ status: 500, faults: 9 }).to).toBe('waiting');
    expect(fate({ status: 500, faults: 10 }).to).toBe('failed');
  });

  it('is unknown with the tenth 500, if a try before may have done it, and it may not be done twice', () => {
    const keyed = { status: 500, faults: 10, isRepeatable: false, hasKey: true, isInDoubt: true };
    expect(fate({ ...keyed, attempts: 11 }).to).toBe('unknown');
    expect(fate({ ...keyed, attempts: 10 }).to).toBe('failed');
  });

  it('pauses all after 401', () => {
    expect(fate({ status: 401 }).to).toBe('paused');
  });

  it.each([404, 410])('is done, if it is a deletion that was sent again and meets %s', (status) => {
    expect(fate({ status, isDeletion: true, isResend: true }).to).toBe('done');
    expect(fate({ status, isDeletion: true }).to).toBe('failed');
  });

  it('is still running, if it may have been done, was sent again with its key and meets 409; the tenth is a conflict', () => {
    const resent = { status: 409, hasKey: true, isResend: true, isInDoubt: true };

    expect(fate({ ...resent, conflicts: 9 }).to).toBe('waiting');
    expect(fate({ ...resent, conflicts: 10 }).to).toBe('conflict');
    // Of what was refused before, as by a 503, nothing can be running.
    expect(fate({ ...resent, isInDoubt: false }).to).toBe('conflict');
  });

  it('waits as long as the server wants, but no longer than an hour', () => {
    expect(fate({ status: 503, retryAfter: 90_000 })).toEqual({ to: 'waiting', delay: 90_000, atLeast: 90_000 });
    expect(fate({ status: 503, retryAfter: day })).toMatchObject({ delay: 3_600_000 });
  });
});

describe('how long a write waits', () => {
  it('doubles from a second to a minute, give or take 30 %', () => {
    expect([1, 2, 3, 7, 50].map((attempts) => backoff(attempts, 0.5))).toEqual([1_000, 2_000, 4_000, 60_000, 60_000]);
    expect([backoff(1, 0), backoff(1, 1)]).toEqual([700, 1_300]);
  });
});

describe('what may be sent twice', () => {
  it('is what does no harm, and what has a key that is known still', () => {
    expect(isSafe({ hasKey: false, isRepeatable: true, age: 10 * day })).toBe(true);
    expect(isSafe({ hasKey: true, isRepeatable: false, age: 0 })).toBe(true);
    expect(isSafe({ hasKey: false, isRepeatable: false, age: 0 })).toBe(false);
  });
});

describe('which write may be sent before an earlier one', () => {
  const one = { id: 'a', dependsOn: [], rows: ['Todo 1'], lists: [], makes: [], names: [] };

  it('is one that shares nothing with it', () => {
    expect(mayPass({ ...one, id: 'b', rows: ['Todo 2'] }, one)).toBe(true);
  });

  it('is a create that another write waits for: it was tried again, and stands behind that', () => {
    expect(mayPass({ ...one, id: 'create' }, { ...one, dependsOn: ['create'] })).toBe(true);
  });

  it('is none that names what the earlier one creates', () => {
    const create = { ...one, makes: ['Todo 1'] };
    expect(mayPass({ ...one, id: 'b', rows: [], names: ['1'] }, create)).toBe(false);
    expect(mayPass({ ...one, id: 'b', rows: [], names: ['2'] }, create)).toBe(true);
  });

  it('is none about the same row, the same new item, or a list that items are taken out of', () => {
    expect(mayPass({ ...one, id: 'b' }, one)).toBe(false);
    expect(mayPass({ ...one, id: 'b', rows: [], dependsOn: ['a'] }, one)).toBe(false);
    expect(mayPass({ ...one, id: 'b', rows: ['x'], dependsOn: ['c'] }, { ...one, rows: ['y'], dependsOn: ['c'] })).toBe(
      false,
    );
    expect(mayPass({ ...one, id: 'b', rows: [], lists: ['[Todo]'] }, { ...one, lists: ['[Todo]'] })).toBe(false);
  });
});
