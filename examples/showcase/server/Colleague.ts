import type { Listeners } from './events.ts';
import type { Issues } from './issues.ts';
import type { Status } from './labels.ts';
import { graceId } from './people.ts';

const pause = 3000;
const client = 'grace';

/** A second user: Grace, who moves, comments and creates, in turns. */
export class Colleague {
  readonly #issues: Issues;
  readonly #listeners: Listeners;
  #timer: NodeJS.Timeout | undefined;
  #step = 0;

  constructor(issues: Issues, listeners: Listeners) {
    this.#issues = issues;
    this.#listeners = listeners;
  }

  get isWorking(): boolean {
    return this.#timer !== undefined;
  }

  work(isWorking: boolean): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (!isWorking) return;
    this.#timer = setInterval(() => {
      this.act();
    }, pause);
    this.#timer.unref();
  }

  reset(): void {
    this.work(false);
    this.#step = 0;
  }

  /** Does the next thing. */
  act(): void {
    const turn = this.#step++;
    if (turn % 4 === 0) this.#move('todo', 'doing');
    else if (turn % 4 === 1) this.#comment();
    else if (turn % 4 === 2) this.#create(turn);
    else this.#move('doing', 'done');
  }

  #move(from: Status, to: Status): void {
    const [issue] = this.#issues.list({ status: from });
    if (!issue) return;
    this.#issues.update(issue.id, { status: to });
    this.#listeners.tell({ type: 'changed', issue: { id: issue.id, status: to } }, client);
  }

  #comment(): void {
    const [issue] = this.#issues.list({ status: 'doing' });
    const comment = issue && this.#issues.comment(issue.id, graceId, 'I am on it.');
    if (comment) this.#listeners.tell({ type: 'commented', comment }, client);
  }

  #create(turn: number): void {
    const issue = this.#issues.create(
      { title: `Look into moth no. ${turn}`, body: 'Found in relay 70, panel F.', status: 'todo', labels: ['bug'] },
      graceId,
    );
    if (issue) this.#listeners.tell({ type: 'created', issue }, client);
  }
}
