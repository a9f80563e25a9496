import { connection, useIsOnline } from '../network/connection';

/** Takes the connection away. What is changed meanwhile shows at once, and is sent when it is back. */
export function ConnectionSwitch() {
  const isOnline = useIsOnline();

  return (
    <button
      className={isOnline ? undefined : 'off'}
      title="What is changed offline shows at once, and is sent when the connection is back"
      onClick={() => {
        connection.toggle();
      }}
    >
      {isOnline ? 'Go offline' : 'Go online'}
    </button>
  );
}
