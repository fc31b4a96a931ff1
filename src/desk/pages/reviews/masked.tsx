/** A text about a person, which is not loaded until it is asked for. */
export function Masked({ children }: { children: string | null | undefined }) {
  if (children === null) return <span className="quiet">erased</span>
  if (children !== undefined) return children
  return (
    <span className="quiet" title="Shown on demand, which is recorded">
      hidden
    </span>
  )
}
