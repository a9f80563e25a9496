import type { MouseEvent } from 'react';
import type { Me } from '../resources/session';
import { Account } from '../session/Account';
import { ColleagueSwitch } from './ColleagueSwitch';
import { ConnectionSwitch } from './ConnectionSwitch';
import { Figures } from './Figures';
import { ThemeSwitch } from './ThemeSwitch';

/** Goes past the header. The address stays, for it says which pane is open. */
function skip(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

export function Header({ me }: { readonly me: Me }) {
  return (
    <header className="bar">
      <a className="skip" href="#/board" onClick={skip}>
        Skip to the board
      </a>
      <h1>
        Issues <small>rtk-resource</small>
      </h1>
      <Figures me={me} />
      <div className="switches">
        <ColleagueSwitch />
        <ConnectionSwitch />
        <ThemeSwitch />
        <Account me={me} />
      </div>
    </header>
  );
}
