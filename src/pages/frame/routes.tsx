import { Button } from '@mantine/core'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { Empty, Page, ProblemAlert } from '../parts/page.tsx'

/** Also where a newer build has replaced the files of this one. */
export function PageFailure({ error }: ErrorComponentProps) {
  return (
    <Page title="This page failed">
      <ProblemAlert error={error} />
      <div>
        <Button variant="default" onClick={() => location.reload()}>
          Reload
        </Button>
      </div>
    </Page>
  )
}

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
