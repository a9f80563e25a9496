// What an app exports of a resource whose entity has a Union and the other schemas in its fields.
import { useLazyResource, useMutation, useResource } from 'rtk-resource/react';
import { AlbumResource } from './plain.js';

export const usePush = () => useMutation(AlbumResource.getList.push);
export const useUpdate = () => useMutation(AlbumResource.update);
export const useAlbum = () => useResource(AlbumResource.get, { id: 1 });
export const useAnAlbum = () => useLazyResource(AlbumResource.get);
export const { update, getList, extend } = AlbumResource;
export const rename = (title: string) => AlbumResource.update({ id: 1 }, { title });
export const { pending, fulfilled, rejected, settled } = AlbumResource.update;
export const Optimistic = AlbumResource.extend({ partialUpdate: { optimistic: true } });
export const Voted = AlbumResource.extend('vote', { path: '/albums/:id/vote', method: 'POST' });
export const Expected = AlbumResource.extend({ update: { getOptimisticResponse: (_snapshot, params) => params } });
