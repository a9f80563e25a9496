interface Props {
  readonly person: { readonly name: string; readonly color: string };
}

export function Avatar({ person: { name, color } }: Props) {
  return (
    <span className="avatar" style={{ background: color }} title={name} role="img" aria-label={name}>
      {name.slice(0, 1)}
    </span>
  );
}
