/** The type of the event by which the slice was replaced without an action. */
export const REPLACED = 'replaced';
