import { Link } from '@tanstack/react-router'
import { Page, Panel } from '../../../pages/parts/page.tsx'
import { useSession } from '../../data/console-api.ts'
import { EventsTable } from '../events/events-table.tsx'
import { Figures } from './figures.tsx'
import { FirstSteps, useFirstSteps } from './first-steps.tsx'

const LATEST = 10

export function OverviewPage() {
  const { tenant, stack } = useSession()
  const { steps, error } = useFirstSteps()
  const isSetUp = steps?.every(({ isDone }) => isDone) ?? false
  return (
    <Page
      title="Overview"
      about={
        stack === 'sandbox'
          ? `${tenant.name} in the sandbox: its data, keys and limits are its own, and no money moves.`
          : `${tenant.name} on the live stack.`
      }
    >
      {!isSetUp && (
        <Panel title="First steps">
          <FirstSteps steps={steps} error={error} />
        </Panel>
      )}
      <Figures />
      <Panel title="Latest events" flush actions={<Link to="/events">All events</Link>}>
        <EventsTable filters={{}} limit={LATEST} isBrief />
      </Panel>
    </Page>
  )
}
