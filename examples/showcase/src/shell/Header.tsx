import type { Me } from '../resources/session';
import { Account } from '../session/Account';
import { ColleagueSwitch } from './ColleagueSwitch';
import { ConnectionSwitch } from './ConnectionSwitch';
import { Figures } from './Figures';
import { ThemeSwitch } from './ThemeSwitch';

export function Header({ me }: { readonly me: Me }) {
  return (
    <header className="bar">
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
