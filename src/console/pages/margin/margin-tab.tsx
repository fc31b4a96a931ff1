import { Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Empty, Loading, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { useCalls, useWarnings } from '../../data/lending.ts'
import { WarningStory } from './warning-story.tsx'

/** Each warning of a facility from its raise to its end, with the call that followed. */
export function MarginTab({ facilityId }: { facilityId: string }) {
  const warnings = useWarnings(facilityId)
  const calls = useCalls(facilityId)
  const error = warnings.error ?? calls.error
  const items = warnings.data?.items ?? []
  if (error || warnings.isPending || items.length === 0) {
    return (
      <Panel title="Margin" flush={items.length === 0}>
        <ProblemAlert error={error} />
        {warnings.isPending && <Loading />}
        {warnings.data && (
          <Empty title="There has been no warning">
            A warning is raised when the ratio stays above the first line of the loan's terms. On
            the sandbox you can <Link to="/sandbox">lower a price</Link> and see one.
          </Empty>
        )}
      </Panel>
    )
  }
  return (
    <Stack gap="lg">
      {items.map((warning) => (
        <WarningStory
          key={warning.number}
          warning={warning}
          call={calls.data?.items.find((call) => call.margin_warning_number === warning.number)}
        />
      ))}
    </Stack>
  )
}
