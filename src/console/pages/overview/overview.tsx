import { useSession } from '../../data/session.ts'
import { Page, Panel } from '../../parts/page.tsx'
import { FirstSteps } from './first-steps.tsx'

export function OverviewPage() {
  const { tenant, stack } = useSession()
  return (
    <Page
      title="Overview"
      about={
        stack === 'sandbox'
          ? `${tenant.name} in the sandbox: its data, keys and limits are its own, and no money moves.`
          : `${tenant.name} on the live stack.`
      }
    >
      <Panel title="First steps">
        <FirstSteps />
      </Panel>
    </Page>
  )
}
