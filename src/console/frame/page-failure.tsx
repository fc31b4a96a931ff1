import { Button } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { ProblemAlert } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'

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
