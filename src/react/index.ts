export type { ReadOptions } from './asked.js';
export {
  skipToken,
  type HookEndpoint,
  type PagedEndpoint,
  type ReadEndpoint,
  type ReadRequest,
  type SkipToken,
} from './endpoint.js';
export { useInfiniteResource, type InfiniteResult } from './useInfiniteResource.js';
export { useLazyResource } from './useLazyResource.js';
export { useMutation, type MutationOptions, type MutationState } from './useMutation.js';
export { usePrefetch } from './usePrefetch.js';
export { useResetFailures } from './useResetFailures.js';
export { useResource, type ResourceResult } from './useResource.js';
export { useSuspense, type SuspenseOptions } from './useSuspense.js';
