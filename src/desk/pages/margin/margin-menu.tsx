import { Link } from '@tanstack/react-router'

/** Between the lists of the margin desk. */
export function MarginMenu() {
  return (
    <>
      <Link to="/margin">Open warnings</Link>
      <Link to="/margin/calls">Margin calls</Link>
      <Link to="/margin/stress">Stress</Link>
    </>
  )
}
