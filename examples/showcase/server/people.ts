/** Who may sign in. Passwords stand here in the open, because all of this is made up. */
export interface Person {
  readonly id: number;
  readonly name: string;
  readonly color: string;
  readonly password: string;
}

export type PublicPerson = Omit<Person, 'password'>;

export const people: readonly Person[] = [
  { id: 1, name: 'Ada', color: '#6246d8', password: 'lovelace' },
  { id: 2, name: 'Grace', color: '#0b7a6e', password: 'hopper' },
  { id: 3, name: 'Katherine', color: '#b3500d', password: 'johnson' },
  { id: 4, name: 'Edsger', color: '#a82a78', password: 'dijkstra' },
];

/** Who is signed in at first. */
export const adaId = 1;
/** The colleague who is simulated. */
export const graceId = 2;

/** A person as anybody may see them. */
export function publicPerson(id: number): PublicPerson {
  const person = people.find((one) => one.id === id);
  if (!person) throw new Error(`There is no person ${id}.`);
  return { id: person.id, name: person.name, color: person.color };
}
