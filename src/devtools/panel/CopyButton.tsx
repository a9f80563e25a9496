import { useLooking } from './looking.js';

/** Copies a text that is made when it is wanted. */
export function CopyButton({ name, make }: { readonly name: string; readonly make: () => unknown }) {
  const { say } = useLooking();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(JSON.stringify(make(), null, 2));
      say('Copied.');
    } catch (error) {
      say(`It could not be copied: ${String(error)}`);
    }
  };
  return (
    <button type="button" onClick={() => void copy()}>
      {name}
    </button>
  );
}
