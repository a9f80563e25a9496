import { useSyncExternalStore } from 'react';
import { gate, type GateState } from '../network/Gate';

/** What the gate holds. */
export function useGate(): GateState {
  return useSyncExternalStore(gate.subscribe, gate.getState);
}
