import { mockServer } from 'rtk-resource/mock';
import { IssueResource, LabelResource, searchIssues } from '../models/github.js';

const inRepo = { owner: 'ada', repo: 'ants' };
export const server = mockServer([IssueResource, LabelResource, searchIssues], {
  seed: { Issue: 45, Label: [{ id: 1, name: 'bug', color: 'red', ...inRepo }] },
  make: { Issue: (n) => ({ id: 1000 + n, number: n, title: `Issue ${n}`, state: 'open', labels: [], ...inRepo }) },
  pages: { 'Issue/getList': 'page' },
  write: {
    Label: ({ new_name, ...row }) => ({ ...row, name: new_name ?? row['name'] }),
    Issue: (issue) => ({ ...issue, number: issue['number'] || Number(issue['id']) - 1000 }),
  },
});
