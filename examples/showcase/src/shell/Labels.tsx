interface Props {
  readonly labels: readonly { readonly id: string; readonly color: string }[];
}

export function Labels({ labels }: Props) {
  return labels.map(({ id, color }) => (
    <span key={id} className="label">
      <i style={{ background: color }} />
      {id}
    </span>
  ));
}
