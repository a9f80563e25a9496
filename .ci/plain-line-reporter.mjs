/** Ends a run with one plain line, `N passed, N failed`, for a CI that does not read Vitest's own summary. */
export default class PlainLineReporter {
  /** @param {readonly import('vitest/node').TestModule[]} modules */
  onTestRunEnd(modules) {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state]++;
      // A file that could not even be collected counts as a failure of its own.
      if (module.errors().length > 0) count.failed++;
    }
    console.log(`\n${String(count.passed)} passed, ${String(count.failed)} failed, ${String(count.skipped)} skipped`);
  }
}
