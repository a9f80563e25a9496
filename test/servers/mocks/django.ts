import { mockServer } from 'rtk-resource/mock';
import { ProjectResource, TaskResource } from '../models/django.js';

export const server = mockServer([TaskResource, ProjectResource], {
  seed: { Task: 45, Project: [{ id: 1, slug: 'ants', name: 'Ants' }] },
  pages: { 'Task/getList': 'page', 'Project/getList': 'page' },
});
