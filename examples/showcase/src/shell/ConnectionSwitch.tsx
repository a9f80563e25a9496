import { connection, useIsOnline } from '../network/connection';

/** Takes the connection away. What is changed meanwhile shows at once, and is sent when it is back. */
export function ConnectionSwitch() {
  const isOnline = useIsOnline();

  return (
    <button
      role="switch"
      aria-checked={isOnline}
      className={isOnline ? undefined : 'off'}
      onClick={() => {
        connection.toggle();
      }}
    >
      Online
    </button>
  );
}
