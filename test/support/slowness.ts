/** What RTK's checks say on a busy machine; it tells of the machine, not of the code. */
export const slowness = /^\w+Middleware took \d+ms, which is more than the warning threshold/;
