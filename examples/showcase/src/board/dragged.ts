import type { DragEvent } from 'react';
import { keyOf } from 'rtk-resource';
import type { Issue } from '../resources/issues';

const [idType, keyType] = ['text/x-issue-id', 'text/x-issue-key'];

/** Notes which issue is dragged. */
export function drag({ dataTransfer }: DragEvent, issue: Issue): void {
  dataTransfer.setData(idType, String(issue.id));
  dataTransfer.setData(keyType, keyOf(issue));
  dataTransfer.effectAllowed = 'move';
}

/** The issue that is dragged; undefined where it is something else. */
export function draggedIssue({ dataTransfer }: DragEvent): { readonly id: string; readonly key: string } | undefined {
  const id = dataTransfer.getData(idType);
  return id === '' ? undefined : { id, key: dataTransfer.getData(keyType) };
}
