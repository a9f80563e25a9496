import type { Case } from './Case.js';
import { explainField, explainList } from './lists.js';
import type { Explanation, Question } from './question.js';
import { explainRequest } from './requests.js';
import { explainRow } from './rows.js';

/** What is shown, and why, by the state and by what was recorded. */
export function explain(question: Question, the: Case): Explanation {
  if (question.entity !== undefined) return explainField(the, question) ?? explainRow(the, question);
  return question.list !== undefined ? explainList(the, question) : explainRequest(the, question);
}
