import {
  useInfiniteResource,
  useLazyResource,
  useMutation,
  usePrefetch,
  useResource,
  useSuspense,
} from 'rtk-resource/react';
import { AlbumResource } from './plain.js';
import { TodoResource } from './resources.js';

export const useTodos = (userId: number) => useResource(TodoResource.getList, { userId });
export const useTitle = (id: number) => useResource(TodoResource.get({ id }), { select: ({ title }) => title });
export const useShown = (id: number) => useSuspense(TodoResource.get, { id });
export const useAddTodo = () => useMutation(TodoResource.getList.push);
export const usePages = () => useInfiniteResource(TodoResource.getList, { userId: 1 });
export const useLater = () => useLazyResource(TodoResource.get);
export const usePrefetchTodo = () => usePrefetch(TodoResource.get);
export const useEither = (isList: boolean) =>
  useResource(isList ? TodoResource.getList() : TodoResource.get({ id: 1 }));
export const useOneOf = (isAlbum: boolean) => useSuspense(isAlbum ? AlbumResource.get : TodoResource.get, { id: 1 });
