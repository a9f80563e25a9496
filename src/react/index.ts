export { skipToken, type HookEndpoint, type SkipToken } from './endpoint.js';
export { useMutation, type MutationState } from './useMutation.js';
export { useResource, type ResourceResult } from './useResource.js';
export { useSuspense } from './useSuspense.js';
