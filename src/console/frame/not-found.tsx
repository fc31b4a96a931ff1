import { Link } from '@tanstack/react-router'
import { Empty } from '../parts/lists/empty.tsx'
import { Page } from '../parts/page.tsx'

export function NotFound() {
  return (
    <Page title="No such page">
      <Empty
        title="There is nothing at this address"
        action={<Link to="/">Go to the first page</Link>}
      >
        It may have been mistyped. Press / to find a page by an id.
      </Empty>
    </Page>
  )
}
