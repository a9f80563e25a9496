import type { IssueFields } from './issues.ts';

interface Edit {
  readonly sent: number;
  readonly fields: IssueFields;
}

/**
 * Takes edits as they were sent. The timeline of the page holds requests back, and lets them go in another order; here they count as if
 * they had not been held: of two edits of one field, the one that was sent later stays.
 */
export class InOrder {
  readonly #edits = new Map<number, Edit[]>();

  /** Notes an edit; gives the fields that later ones have decided already. */
  take(id: number, fields: IssueFields, sent: number): IssueFields {
    const edits = this.#edits.get(id) ?? [];
    const later = edits.filter((edit) => edit.sent > sent);
    this.#edits.set(id, [...edits, { sent, fields }].sort((one, other) => one.sent - other.sent).slice(-20));
    return later.reduce((all, edit) => ({ ...all, ...edit.fields }), {});
  }
}
